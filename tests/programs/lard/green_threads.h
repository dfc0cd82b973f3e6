// Green threads: fibers of Boost.Context, which any kernel thread may resume. What the scheduler does is
// the system's; a green thread is a language thread. No hand-over orders anything.
#pragma once

#include <boost/context/fiber.hpp>

#include "../../../include/steward/lard.h"
#include "../support/invisible.h"

class GreenThread {
 public:
  template <class F>
  GreenThread(const char* name, F body) : id_(steward_lard_thread_create(name)) {
    steward_lard_system_begin();
    context_ = boost::context::fiber([this, body](boost::context::fiber&& from) mutable {
      resumer_ = std::move(from);
      steward_lard_system_end();  // of run()
      body(*this);
      steward_lard_system_begin();
      steward_lard_thread_switch(carrier_);
      return std::move(resumer_);
    });
    steward_lard_system_end();
  }
  ~GreenThread() { steward_lard_thread_end(id_); }

  // On the calling kernel thread, until it yields or ends.
  void run() {
    steward_lard_system_begin();
    carrier_ = steward_lard_thread_self();
    const bool first = !begun_;
    begun_ = true;
    steward_lard_thread_switch(id_);
    if (first) steward_lard_system_begin();  // the others were switched away within a region
    context_ = std::move(context_).resume();
    steward_lard_system_end();
  }
  void yield() {
    steward_lard_system_begin();
    steward_lard_thread_switch(carrier_);
    resumer_ = std::move(resumer_).resume();
    steward_lard_system_end();
  }

 private:
  steward_lard_thread id_;
  steward_lard_thread carrier_ = 0;
  bool begun_ = false;
  boost::context::fiber context_, resumer_;
};
