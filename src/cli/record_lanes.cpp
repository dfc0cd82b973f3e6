#include "cli/record_lanes.h"

#include <cstring>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

namespace steward::cli {

using namespace rt::trace;

std::uint64_t RecordLanes::now() const {
  if (channel_.header.has_tsc == 0) return channel_.header.counter.load();
  const std::uint64_t time = __rdtsc();
  _mm_lfence();  // what is read after this is what was there by then, or more
  return time;
}

void RecordLanes::find_lanes() {
  const std::uint32_t lanes = std::min(channel_.header.lanes.load(), kMaxLanes);
  known_.resize(lanes);
  for (std::uint32_t i = 0; i < lanes; ++i) {
    if (known_[i] || channel_.lane[i].state.load(std::memory_order_acquire) == Lane::Free) continue;
    known_[i] = true;
    auto r = std::make_unique<Reader>();
    r->lane = i;
    r->chunk = &channel_.chunk[channel_.lane[i].first % kMaxChunks];
    r->event.thread = channel_.lane[i].thread;
    readers_.push_back(std::move(r));
  }
}

void RecordLanes::give_back(Chunk& c) {
  std::memset(&c.entries, 0, sizeof c.entries);
  c.next.store(0, std::memory_order_relaxed);
  push(channel_.header.free_chunks, channel_.chunk,
       static_cast<std::uint32_t>(&c - channel_.chunk));
  channel_.header.given.fetch_add(1);
  // A thread that runs again should find more than one.
  constexpr unsigned kEnough = 32;
  if (++given_ >= kEnough) wake_waiting();
}

void RecordLanes::wake_waiting() {
  Header& h = channel_.header;
  if (given_ != 0 && h.waiting.load() != 0) {
    ::syscall(SYS_futex, &h.given, FUTEX_WAKE, given_, nullptr, nullptr, 0);
  }
  given_ = 0;
}

void RecordLanes::next_chunk(Reader& r, std::uint32_t next) {
  Chunk& old = *r.chunk;
  r.chunk = &channel_.chunk[(next - 1) % kMaxChunks];
  r.at = 0;
  give_back(old);
}

bool RecordLanes::read(Reader& r) {
  for (;;) {
    const std::uint64_t what =
        r.at == Chunk::kEntries ? 0
                                : __atomic_load_n(&r.chunk->entries[r.at].what, __ATOMIC_ACQUIRE);
    if (what == 0) {
      const std::uint32_t next = r.chunk->next.load(std::memory_order_acquire);
      if (next == 0) return false;
      // The thread has gone on since: its last entries here may be younger than the look at them.
      if (r.at < Chunk::kEntries &&
          __atomic_load_n(&r.chunk->entries[r.at].what, __ATOMIC_ACQUIRE) != 0) {
        continue;
      }
      next_chunk(r, next);
      continue;
    }
    const std::uint64_t where = r.chunk->entries[r.at++].where;
    const auto op = static_cast<Op>(what >> kOpShift & 31);
    switch (op) {
      case Op::Stamp:
        r.stamp = where;
        continue;
      case Op::Size:
        r.size = where;
        continue;
      case Op::Other:
        r.other = where;
        continue;
      case Op::Walk:
        r.walks.push_back({(what >> kModeShift & 1) != 0,
                           static_cast<unsigned>(what >> kSizeShift & 7), what & kAddressMask,
                           where & kAddressMask, static_cast<std::int64_t>(where) >> kAddressBits});
        continue;
      default:
        break;
    }
    RawEvent& e = r.event;
    e.op = op;
    e.address = what & kAddressMask;
    const unsigned code = what >> kSizeShift & 7;
    e.size = code == 0 ? r.size : std::uint64_t{1} << (code - 1);
    e.other = r.other;
    r.size = r.other = 0;
    e.order = what >> kOrderShift & 7;
    e.mode = what >> kModeShift & 3;
    e.system = (what >> kSystemShift & 1) != 0;
    if (op == Op::Loop) take_walks(r, where);
    if (op == Op::Instructions) {
      e.where = where;
    } else {
      e.where = where & kAddressMask;
      r.stamp += where >> kAddressBits;
    }
    return r.has_event = true;
  }
}

// The loop is of the last walks: those before are a loop's that a signal handler interrupted.
void RecordLanes::take_walks(Reader& r, std::uint64_t where) {
  const std::size_t wanted = where & ((1u << kWalksBits) - 1);
  const std::size_t n = std::min(wanted, r.walks.size());
  r.event.walks.assign(r.walks.end() - static_cast<std::ptrdiff_t>(n), r.walks.end());
  r.walks.resize(r.walks.size() - n);
}

// Lanes whose thread has ended, and of which everything is taken.
void RecordLanes::close_ended() {
  std::erase_if(readers_, [&](const std::unique_ptr<Reader>& r) {
    Lane& lane = channel_.lane[r->lane];
    if (r->has_event || lane.state.load(std::memory_order_acquire) != Lane::Ended) return false;
    if (read(*r)) return false;  // written between the last look and the end
    give_back(*r->chunk);
    known_[r->lane] = false;
    lane.state.store(Lane::Free, std::memory_order_release);
    push(channel_.header.free_lanes, channel_.lane, r->lane);
    return true;
  });
}

}  // namespace steward::cli
