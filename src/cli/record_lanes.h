// The recorder's end of the channel (runtime/trace/channel.h): the events of all threads in one
// order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/trace/channel.h"

namespace steward::cli {

// One access a round of a loop.
struct RawWalk {
  bool write = false;
  unsigned size_code = 0;
  std::uint64_t address = 0;
  std::uint64_t pc = 0;
  std::int64_t step = 0;
};

// An entry and what came before it for it.
struct RawEvent {
  rt::trace::Op op{};
  std::uint8_t mode = 0;
  std::uint8_t order = 0;
  bool system = false;
  std::uint32_t thread = 0;
  std::uint64_t address = 0;  // of a Loop: how many rounds
  std::uint64_t size = 0;
  std::uint64_t other = 0;
  std::uint64_t where = 0;     // the program counter, or a number
  std::vector<RawWalk> walks;  // of a Loop
};

class RecordLanes {
 public:
  explicit RecordLanes(rt::trace::Channel& channel) : channel_(channel) {}

  // Takes all that is stamped up to now, in the order of the stamps. An entry that comes late, for
  // its thread was interrupted while it wrote, is taken with the next: no other thread has seen an
  // effect of it yet. False: there was nothing.
  //
  // `take` is called with a RawEvent, or, which is most of it, with a plain access of a usual size:
  // take(thread, write, size code, address, program counter).
  template <class Take>
  bool merge(std::uint64_t until, Take take);

  // Of the channel's clock.
  std::uint64_t now() const;

 private:
  struct Reader {
    std::uint32_t lane = 0;
    rt::trace::Chunk* chunk = nullptr;
    unsigned at = 0;
    std::uint64_t stamp = 0;
    std::uint64_t empty_at = 0;         // its lane was: what was found since came later
    std::uint64_t size = 0, other = 0;  // for the next event
    std::vector<RawWalk> walks;         // for a Loop that comes
    RawEvent event;
    bool has_event = false;

    std::uint64_t time() const { return std::max(stamp, empty_at); }  // of the event
  };

  // Takes the accesses that come next, up to the time `next` or to anything else.
  template <class Take>
  void take_accesses(Reader& r, std::uint64_t next, Take& take);

  void find_lanes();
  bool read(Reader& r);  // its next event, if there is one
  void take_walks(Reader& r, std::uint64_t where);
  void next_chunk(Reader& r, std::uint32_t next);
  void give_back(rt::trace::Chunk& c);
  void wake_waiting();
  void close_ended();

  rt::trace::Channel& channel_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::vector<bool> known_;  // by lane
  unsigned given_ = 0;       // chunks, since threads that wait for one were woken
  std::vector<Reader*> heap_;
};

template <class Take>
bool RecordLanes::merge(std::uint64_t until, Take take) {
  find_lanes();
  heap_.clear();
  const auto later = [](const Reader* a, const Reader* b) { return a->time() > b->time(); };
  for (const auto& r : readers_) {
    if ((r->has_event || read(*r)) && r->time() <= until) heap_.push_back(r.get());
  }
  const bool any = !heap_.empty();
  std::make_heap(heap_.begin(), heap_.end(), later);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Reader& r = *heap_.back();
    heap_.pop_back();
    const std::uint64_t next = heap_.empty() ? until : std::min(until, heap_.front()->time());
    do {
      take(r.event);
      r.has_event = false;
      take_accesses(r, next, take);
    } while (read(r) && r.time() <= next);
    if (r.has_event && r.time() <= until) {
      heap_.push_back(&r);
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
  for (const auto& r : readers_) {
    if (!r->has_event) r->empty_at = until;
  }
  close_ended();
  wake_waiting();
  return any;
}

template <class Take>
void RecordLanes::take_accesses(Reader& r, std::uint64_t next, Take& take) {
  using namespace rt::trace;
  if (r.size != 0 || r.other != 0) return;
  unsigned at = r.at;
  for (; at < Chunk::kEntries; ++at) {
    const Entry& e = r.chunk->entries[at];
    const std::uint64_t what = __atomic_load_n(&e.what, __ATOMIC_ACQUIRE);
    // With no bits above the size code it is the program's own.
    const std::uint64_t kind = what >> kOpShift;
    const std::uint64_t write = (kind & 31) - static_cast<std::uint64_t>(Op::Read);
    if (write > 1 || kind < 32 || kind >= 256) break;
    const std::uint64_t where = e.where;
    const std::uint64_t stamp = r.stamp + (where >> kAddressBits);
    if (std::max(stamp, r.empty_at) > next) break;
    r.stamp = stamp;
    take(r.event.thread, write != 0, static_cast<unsigned>(kind >> 5), what & kAddressMask,
         where & kAddressMask);
  }
  r.at = at;
}

}  // namespace steward::cli
