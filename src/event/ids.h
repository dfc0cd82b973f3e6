// Strong ids: one type a noun, so that a slot is never taken for a thread.
#pragma once

#include <cstdint>
#include <type_traits>

namespace steward {

// A language thread, or, before identity is applied, the low-level thread that carries it.
enum class ThreadId : std::uint32_t {};
// A synchronisation object: lock, volatile, barrier, semaphore.
enum class SyncId : std::uint64_t {};
// A place in the source. 0: not known.
enum class SiteId : std::uint32_t {};
enum class FunctionId : std::uint32_t {};

using Address = std::uint64_t;

// The thread of an event that concerns them all (a global sampling period).
inline constexpr ThreadId kAllThreads{0xffff'ffff};
inline constexpr SiteId kNoSite{0};

template <class Id>
constexpr auto raw(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

}  // namespace steward
