// Boost.Fiber's work-stealing scheduler, with each fiber a language thread. The scheduler is the
// system: neither what it touches nor how it hands fibers over is the program's.
#pragma once

#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/all.hpp>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "../../../include/steward/lard.h"
#include "../support/invisible.h"

#define UNTRACKED __attribute__((no_sanitize("thread")))

class SystemRegion {
 public:
  SystemRegion() { steward_lard_system_begin(); }
  ~SystemRegion() { steward_lard_system_end(); }
};

// Which language thread a context is.
class Identities {
 public:
  steward_lard_thread of(boost::fibers::context* c) {
    const SystemRegion region;
    const std::lock_guard<std::mutex> guard(lock_);
    steward_lard_thread& id = ids_[c];
    if (id == 0) {
      id = c == boost::fibers::context::active() ? steward_lard_thread_self()
                                                 : steward_lard_thread_create("fiber");
    }
    return id;
  }
  // The address of a context that ends may be another's next.
  steward_lard_thread forget(boost::fibers::context* c) {
    const SystemRegion region;
    const std::lock_guard<std::mutex> guard(lock_);
    const auto it = ids_.find(c);
    const steward_lard_thread id = it->second;
    ids_.erase(it);
    return id;
  }

 private:
  std::mutex lock_;
  std::unordered_map<boost::fibers::context*, steward_lard_thread> ids_;
};
static Identities identities;
// Of this kernel thread.
static thread_local steward_lard_thread dying = 0;
static thread_local bool dispatched = false;

class LardWorkStealing : public boost::fibers::algo::work_stealing {
  using Base = boost::fibers::algo::work_stealing;
  using Context = boost::fibers::context;

 public:
  explicit LardWorkStealing(std::uint32_t threads) : Base(threads) {
    identities.of(Context::active());
  }

  void awakened(Context* c) noexcept override {
    const SystemRegion region;
    identities.of(c);
    Base::awakened(c);
  }
  // Not instrumented: it is entered by one thread and left by another.
  UNTRACKED Context* pick_next() noexcept override {
    Context* next = pick();
    if (next == nullptr) return nullptr;
    steward_lard_thread_switch(identities.of(next));
    // A dispatcher is the system's for good, also when it takes the scheduler down.
    if (next->is_context(boost::fibers::type::dispatcher_context) && !dispatched) {
      steward_lard_system_begin();
      dispatched = true;
    }
    if (dying != 0) steward_lard_thread_end(dying);
    dying = 0;
    return next;
  }
  bool has_ready_fibers() const noexcept override {
    const SystemRegion region;
    return Base::has_ready_fibers();
  }
  Context* steal() noexcept override {
    const SystemRegion region;
    return Base::steal();
  }
  void suspend_until(std::chrono::steady_clock::time_point const& t) noexcept override {
    const SystemRegion region;
    Base::suspend_until(t);
  }
  void notify() noexcept override {
    const SystemRegion region;
    Base::notify();
  }

 private:
  Context* pick() noexcept {
    const SystemRegion region;
    return Base::pick_next();
  }
};

// A fiber that others may join: what it did happens before the end of the join.
class Fiber {
 public:
  template <class F>
  explicit Fiber(F body)
      : fiber_(boost::fibers::launch::post, [this, body] {
          body();
          steward_lard_release(this);
          note_end();
        }) {}
  void join() {
    {
      const SystemRegion region;
      fiber_.join();
    }
    steward_lard_acquire(this);
  }

 private:
  UNTRACKED static void note_end() { dying = identities.forget(boost::fibers::context::active()); }

  boost::fibers::fiber fiber_;
};

// Runs `body` as a fiber among fibers on two kernel threads.
template <class F>
void on_two_threads(F body) {
  boost::fibers::mutex lock;
  boost::fibers::condition_variable_any changed;
  bool done = false;
  std::thread other([&] {
    const SystemRegion region;
    boost::fibers::use_scheduling_algorithm<LardWorkStealing>(2u);
    std::unique_lock<boost::fibers::mutex> guard(lock);
    changed.wait(guard, [&] { return done; });
  });
  steward_lard_system_begin();
  boost::fibers::use_scheduling_algorithm<LardWorkStealing>(2u);
  steward_lard_system_end();
  body();
  {
    const SystemRegion region;
    const std::unique_lock<boost::fibers::mutex> guard(lock);
    done = true;
  }
  changed.notify_all();
  other.join();
}
