// The layout of a binary trace; docs/trace-format.md describes it byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "event/event.h"
#include "event/size_code.h"

namespace steward::trace {

// 0xf5 begins no UTF-8 text, so the first byte tells the formats apart.
inline constexpr std::array<char, 8> kMagic = {'\xf5', 'S', 'T', 'W', 'D', 'T', 'R', '\n'};
inline constexpr std::array<char, 8> kEndMagic = {'\xf5', 'S', 'T', 'W', 'D', 'E', 'N', '\n'};
// 2 lacks loops, 1 also the two operations before. There is no 3: a flipped bit would make it 2
// or 1.
inline constexpr std::uint32_t kVersion = 4;
constexpr bool known_version(std::uint32_t v) {
  return v == 1 || v == 2 || v == kVersion;
}

struct FileHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t flags;  // none yet: 0
};
static_assert(sizeof(FileHeader) == 16);

enum class BlockType : std::uint8_t { Names = 1, Events = 2, Index = 3, Cut = 128 };
// A reader skips blocks of a type it does not know from here on, and refuses those below.
inline constexpr std::uint8_t kFirstOptionalType = 128;

enum class Codec : std::uint8_t { Stored = 0, Zstd = 1 };

struct BlockHeader {
  std::uint8_t type;
  std::uint8_t codec;
  std::uint16_t reserved;  // 0
  std::uint32_t count;     // of events, names or listed blocks
  std::uint32_t raw_size;
  std::uint32_t stored_size;
  std::uint64_t payload_hash;  // XXH3 of the stored bytes
  std::uint64_t header_hash;   // XXH3 of the 24 bytes before it
};
static_assert(sizeof(BlockHeader) == 32);
inline constexpr std::size_t kHashedHeader = 24;

struct Footer {
  std::array<char, 8> magic;
  std::uint64_t index_offset;
  std::uint64_t hash;  // XXH3 of the 16 bytes before it
};
static_assert(sizeof(Footer) == 24);
inline constexpr std::size_t kHashedFooter = 16;

// Read before memory is taken for a block: a damaged or hostile size costs nothing.
inline constexpr std::uint32_t kMaxRaw = 16u << 20;
inline constexpr std::uint32_t kMaxStored = kMaxRaw + (1u << 17);

// The low five bits of an event's first byte. The high three are the size code of an access.
enum class Op : std::uint8_t {
  Read,
  Write,
  AtomicRead,
  AtomicWrite,
  Acquire,  // then shared, volatile
  Release = Acquire + 3,
  ReleaseMerge = Release + 3,
  Fork = ReleaseMerge + 3,
  Join,
  ThreadEnd,
  Alloc,
  Free,
  Move,
  Switch,
  LoadRef,
  StoreRef,
  Enter,
  Exit,
  SampleBegin,
  SampleEnd,
  Instructions,
  Thread,  // the events that follow are this thread's
  System,  // the event that follows is the run-time system's
  Stack,
  SystemCall,
  Loop,  // stands for many accesses
};
inline constexpr unsigned kOps = 32;
static_assert(static_cast<unsigned>(Op::Loop) + 1 == kOps);

inline constexpr unsigned kOpBits = 5;
inline constexpr unsigned kOpMask = 31;
// Sizes by code; code 0: the size follows. Codes 6 and 7 are free.
inline constexpr std::array<std::uint8_t, 8> kCodedSizes = {0, 1, 2, 4, 8, 16, 0, 0};

// No event is longer: Thread with its number, System, the op and four numbers.
inline constexpr std::size_t kMaxEventBytes = 1 + 9 + 1 + 1 + 4 * 9;
// A walk of a loop: its first byte and three numbers.
inline constexpr std::size_t kMaxWalkBytes = 1 + 3 * 9;

}  // namespace steward::trace
