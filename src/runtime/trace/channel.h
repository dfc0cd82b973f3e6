// What a recorded process and `steward record` share: memory in which each thread writes its events
// and out of which the recorder merges, encodes and compresses them (docs/record.md).
//
// A thread has a lane: a chain of chunks, written by the thread alone and read by the recorder
// alone. An entry counts once its first word is not 0, so what a killed process has told is whole.
// The recorder empties a chunk, wipes it and gives it back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "event/size_code.h"

namespace steward::rt::trace {

enum class Op : std::uint8_t {
  None,  // not written yet
  // What the next event needs besides; `where` is the number.
  Stamp,
  Size,
  Other,
  // Events. Of accesses, locks and allocations `where` has the program's address.
  Read,
  Write,
  Acquire,
  Release,
  ReleaseMerge,
  Fork,  // address: the thread
  Join,  // address: the thread
  ThreadEnd,
  Alloc,
  Clear,         // memory without a past from now on
  Renew,         // synchronisation objects in the range are new
  Move,          // other: to
  Switch,        // address: the language thread
  Enter,         // address: calls open below it; where: the function
  Exit,          // address: calls open after it
  Instructions,  // `where` is how many
  Stack,
  SystemCall,
  // Atomic operations; `order` is C++'s memory order.
  AtomicLoad,
  AtomicStore,
  AtomicModify,
  Fence,
  // Loops that are told of before they run (pass/runs.h).
  Walk,  // one access a round, for a Loop that comes later; mode: is it a write? see kStepBits
  Loop,  // address: rounds; see kWalksBits
};

// Two words an entry.
//   what:  address (47 bits), op (5), size code (3), order (3), mode (2), system (1)
//   where: program counter (47 bits), time since the thread's last entry (17)
struct Entry {
  std::uint64_t what;
  std::uint64_t where;
};
inline constexpr unsigned kAddressBits = 47;
inline constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kAddressBits) - 1;
inline constexpr unsigned kOpShift = 47, kSizeShift = 52, kOrderShift = 55, kModeShift = 58,
                          kSystemShift = 60;
inline constexpr std::uint64_t kMaxDelta = (std::uint64_t{1} << (64 - kAddressBits)) - 1;
// A Walk has the step from round to round in the place of the time. A Loop is of the last so many
// walks, and has in the place of the program counter their number and the instructions of a round.
inline constexpr unsigned kStepBits = 64 - kAddressBits;
inline constexpr unsigned kWalksBits = 7;
inline constexpr std::uint64_t kMaxWalks = 64;
inline constexpr std::uint64_t kMaxRoundInstructions = 0x7fff'ffff;
inline constexpr std::uint64_t kMaxRounds = 1 << 20;

inline constexpr std::size_t kChunkBytes = 32 * 1024;
struct alignas(64) Chunk {
  std::atomic<std::uint32_t> next;  // index + 1; 0: this is the lane's last
  std::uint32_t free_next;
  alignas(16) std::uint64_t padding[6];
  static constexpr unsigned kEntries = (kChunkBytes - 64) / sizeof(Entry);
  Entry entries[kEntries];
};
static_assert(sizeof(Chunk) == kChunkBytes);

struct alignas(64) Lane {
  enum State : std::uint32_t { Free, Live, Ended };
  std::atomic<std::uint32_t> state;
  std::uint32_t thread;
  std::uint32_t first;  // chunk, index
  std::uint32_t free_next;
};

inline constexpr std::uint64_t kMagic = 0x3163'6172'7473'0a02;
inline constexpr std::uint32_t kMaxLanes = 1 << 14;   // threads at one time
inline constexpr std::uint32_t kMaxChunks = 1 << 16;  // every lane has one; no memory until used
inline constexpr std::uint32_t kMaxAhead = 256;       // beyond, threads wait for the recorder

struct alignas(4096) Header {
  std::uint64_t magic;
  std::uint32_t recorder;              // process number of `steward record`
  std::uint32_t has_tsc;               // time is the processor's counter, else `counter`
  std::atomic<std::uint32_t> owner;    // process number of the one that is recorded
  std::atomic<std::uint32_t> stop;     // no more is wanted
  std::atomic<std::uint32_t> others;   // processes that are not recorded: children, and later ones
  std::atomic<std::uint32_t> unlaned;  // threads beyond kMaxLanes: not recorded
  std::atomic<std::uint32_t> lanes;    // ever used
  std::atomic<std::uint32_t> chunks;   // ever used
  std::atomic<std::uint32_t> waiting;  // threads, for a chunk
  std::atomic<std::uint32_t> given;    // chunks, by the recorder: what they wait on (a futex)
  std::atomic<std::uint64_t> free_lanes;  // stacks: a count of changes above, index + 1 below
  std::atomic<std::uint64_t> free_chunks;
  alignas(64) std::atomic<std::uint64_t> counter;
};

struct Channel {
  Header header;
  Lane lane[kMaxLanes];
  Chunk chunk[kMaxChunks];
};

// Both sides give back and take: a stack of indices, each change of which has a number.
template <class Item>
void push(std::atomic<std::uint64_t>& head, Item* items, std::uint32_t index) {
  std::uint64_t seen = head.load(std::memory_order_relaxed);
  do {
    items[index].free_next = static_cast<std::uint32_t>(seen);
  } while (!head.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | (index + 1),
                                       std::memory_order_acq_rel));
}
// False: it is empty.
template <class Item>
bool pop(std::atomic<std::uint64_t>& head, Item* items, std::uint32_t& index) {
  std::uint64_t seen = head.load(std::memory_order_acquire);
  for (;;) {
    const auto top = static_cast<std::uint32_t>(seen);
    if (top == 0) return false;
    const std::uint64_t next = ((seen >> 32) + 1) << 32 | items[top - 1].free_next;
    if (head.compare_exchange_weak(seen, next, std::memory_order_acq_rel)) {
      index = top - 1;
      return true;
    }
  }
}

}  // namespace steward::rt::trace
