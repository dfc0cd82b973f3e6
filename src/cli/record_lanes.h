// The recorder's end of the channel (runtime/trace/channel.h): the events of all threads in one
// order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/trace/channel.h"

namespace steward::cli {

// An entry and what came before it for it.
struct RawEvent {
  rt::trace::Op op{};
  std::uint8_t mode = 0;
  std::uint8_t order = 0;
  bool system = false;
  std::uint32_t thread = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t other = 0;
  std::uint64_t where = 0;  // the program counter, or a number
};

class RecordLanes {
 public:
  explicit RecordLanes(rt::trace::Channel& channel) : channel_(channel) {}

  // Takes all that is stamped up to now, in the order of the stamps. An entry that comes late, for
  // its thread was interrupted while it wrote, is taken with the next: no other thread has seen an
  // effect of it yet. False: there was nothing.
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
    std::uint64_t size = 0, other = 0;  // for the next event
    RawEvent event;
    bool has_event = false;
  };

  void find_lanes();
  bool read(Reader& r);  // its next event, if there is one
  void next_chunk(Reader& r, std::uint32_t next);
  void give_back(rt::trace::Chunk& c);
  void close_ended();

  rt::trace::Channel& channel_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::vector<bool> known_;  // by lane
  std::vector<Reader*> heap_;
};

template <class Take>
bool RecordLanes::merge(std::uint64_t until, Take take) {
  find_lanes();
  heap_.clear();
  const auto later = [](const Reader* a, const Reader* b) { return a->stamp > b->stamp; };
  for (const auto& r : readers_) {
    if ((r->has_event || read(*r)) && r->stamp <= until) heap_.push_back(r.get());
  }
  const bool any = !heap_.empty();
  std::make_heap(heap_.begin(), heap_.end(), later);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Reader& r = *heap_.back();
    heap_.pop_back();
    const std::uint64_t next = heap_.empty() ? until : std::min(until, heap_.front()->stamp);
    do {
      take(r.event);
      r.has_event = false;
    } while (read(r) && r.stamp <= next);
    if (r.has_event && r.stamp <= until) {
      heap_.push_back(&r);
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
  close_ended();
  return any;
}

}  // namespace steward::cli
