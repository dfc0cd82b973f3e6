// Events -> the raw bytes of one block.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "trace/thread_states.h"

namespace steward::trace {

class EventEncoder {
 public:
  // The event must keep the rules of rules.h.
  void add(const Event& e);

  std::uint32_t count() const { return count_; }
  std::string_view bytes() const { return {buffer_.data(), used_}; }
  // Begins the next block.
  void clear();

 private:
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::uint32_t count_ = 0;
  ThreadStates states_;
  ThreadState* state_ = nullptr;  // of thread_
  ThreadId thread_{};
};

}  // namespace steward::trace
