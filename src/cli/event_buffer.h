// Events on their way to a writer, in memory that is used again and again.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "event/event.h"

namespace steward::cli {

class EventBuffer {
 public:
  // Small enough to stay in the cache between the one who fills it and the one who empties it.
  static constexpr std::size_t kFull = 4096;

  EventBuffer() : events_(kFull + 64) {}

  Event& next() {  // all fields as an event has them by default
    if (count_ == events_.size()) [[unlikely]]
      events_.resize(count_ * 2);
    return events_[count_++] = Event{};
  }
  Event& push(const Event& e) { return next() = e; }
  bool full() const { return count_ >= kFull; }
  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }
  std::span<const Event> events() const { return {events_.data(), count_}; }

 private:
  std::vector<Event> events_;
  std::size_t count_ = 0;
};

}  // namespace steward::cli
