// Events -> the raw bytes of one block.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "event/event.h"
#include "trace/binary_format.h"
#include "trace/loop.h"
#include "trace/thread_states.h"
#include "trace/varint.h"

namespace steward::trace {

// A block of events on its way to the file. Its memory is used again.
struct EncodedBlock {
  std::vector<char> buffer;
  std::size_t used = 0;
  std::uint32_t count = 0;    // of events
  std::uint64_t threads = 0;  // that its encoder has met, in this block and before

  std::string_view bytes() const { return {buffer.data(), used}; }
};

class EventEncoder {
 public:
  // The event must keep the rules of rules.h.
  void add(const Event& e);
  // The same for what most of a trace is: a plain access of the program, of a size that has a code.
  void add_access(ThreadId thread, bool write, unsigned size_code, SiteId site, Address address) {
    char* to = begin(thread);
    *to++ = static_cast<char>((write ? 1U : 0U) | size_code << kOpBits);
    ThreadState& s = *state_;
    to = put_site(to, s, site);
    to = put_delta(to, s.address, address);
    end(to);
  }

  // The loop must keep the rules of loop.h.
  void add(const Loop& loop);

  std::uint32_t count() const { return block_.count; }
  std::string_view bytes() const { return block_.bytes(); }
  std::uint64_t threads() const { return threads_.size(); }
  // Begins the next block.
  void clear();
  // Also hands over the one that is done, for memory that is used no longer.
  void clear_into(EncodedBlock& done);

 private:
  // The difference to the last value, which becomes this one.
  static char* put_delta(char* to, std::uint64_t& last, std::uint64_t value) {
    to = put_varint(to, zigzag(value - last));
    last = value;
    return to;
  }
  static char* put_site(char* to, ThreadState& state, SiteId site) {
    if (site == kNoSite) return put_varint(to, 0);
    const std::uint64_t difference = std::uint64_t{raw(site)} - state.site;
    state.site = raw(site);
    return put_varint(to, zigzag(difference) + 1);
  }
  // Room for one event, behind a mark if the thread is another.
  char* begin(ThreadId thread) {
    // put_varint stores whole words: leave room behind the last one.
    if (block_.buffer.size() - block_.used < kMaxEventBytes + 8) [[unlikely]]
      grow();
    char* to = block_.buffer.data() + block_.used;
    return state_ != nullptr && thread == thread_ ? to : change_thread(to, thread);
  }
  void end(const char* to, std::uint32_t events = 1) {
    block_.used = static_cast<std::size_t>(to - block_.buffer.data());
    block_.count += events;
  }
  void grow();
  char* change_thread(char* to, ThreadId thread);
  void note(ThreadId thread);

  EncodedBlock block_;
  ThreadStates states_;
  ThreadState* state_ = nullptr;  // of thread_
  ThreadId thread_{};
  std::unordered_set<std::uint32_t> threads_;  // that act or are acted on
};

}  // namespace steward::trace
