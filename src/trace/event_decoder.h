// The raw bytes of one block -> events.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "trace/loop.h"
#include "trace/thread_states.h"

namespace steward::trace {

// The decoder looks at this many bytes past a block before it notices the end: they must be
// readable. It saves a test a number.
inline constexpr std::size_t kDecoderSlack = 64;

class EventDecoder {
 public:
  // [bytes, bytes + size) holds `count` events and is followed by kDecoderSlack readable bytes.
  void start(const char* bytes, std::size_t size, std::uint32_t count);

  // Decodes up to `out.size()` events and returns how many; fewer at the end or a broken place.
  std::size_t decode(std::span<Event> out);

  std::uint32_t left() const { return left_; }
  // "expected ..., found ..." when the bytes are not events; empty otherwise.
  const std::string& broken() const { return broken_; }
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  std::size_t decode_accesses(const char*& at, std::span<Event> out);
  bool decode_other(const char*& at, Event& out, std::uint64_t left);
  bool decode_loop(const char*& at, const char* p, bool system, std::uint64_t left);
  std::size_t expand(std::span<Event> out);
  bool change_thread(const char*& at);
  bool fail(const char* at, const std::string& what);
  void check_end();

  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint32_t left_ = 0;
  ThreadStates states_;
  ThreadState* state_ = nullptr;
  ThreadId thread_{};
  std::string broken_;

  // The loop whose events are being returned.
  std::vector<Walk> walks_;
  Loop loop_;  // no rounds: none
  std::uint32_t round_ = 0;
  std::size_t walk_ = 0;
  bool told_ = false;  // of the instructions, before this round
};

}  // namespace steward::trace
