// What the numbers of a thread's next event are told from. One a thread and block.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "event/ids.h"

namespace steward::trace {

struct ThreadState {
  std::uint64_t address = 0;
  std::uint64_t sync = 0;
  std::uint64_t object = 0;
  std::uint32_t site = 0;
  std::uint32_t block = 0;  // the block in which the rest was set
};

class ThreadStates {
 public:
  // Forgets all, so that each block can be read by itself. Costs nothing a thread.
  void next_block() { ++block_; }

  // References last until the next call.
  ThreadState& of(ThreadId t) {
    bool fresh;
    return of(t, fresh);
  }
  ThreadState& of(ThreadId t, bool& fresh) {  // fresh: the first time in this block
    const std::uint32_t id = raw(t);
    ThreadState& s = id < kSmall ? small(id) : large_[id];
    fresh = s.block != block_;
    if (fresh) s = ThreadState{.block = block_};
    return s;
  }

 private:
  static constexpr std::uint32_t kSmall = 4096;

  ThreadState& small(std::uint32_t id) {
    if (id >= small_.size()) small_.resize(id + 1);
    return small_[id];
  }

  std::uint32_t block_ = 1;
  std::vector<ThreadState> small_;
  std::unordered_map<std::uint32_t, ThreadState> large_;
};

}  // namespace steward::trace
