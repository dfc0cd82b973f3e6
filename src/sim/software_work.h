// What software behind the hardware does: instructions, and memory that it touches through the
// caches of the core it runs on. Gathered while state changes, charged when the change is done,
// since the touches may throw other lines out.
#pragma once

#include <vector>

#include "sim/coherence/hierarchy.h"

namespace steward::sim {

// Where the software keeps its data: lines beyond any program's. The variable map has 16 bytes for
// each 8 of the program, under a directory with 8 bytes a page of 4 KB.
namespace software {

constexpr std::uint64_t kMap = std::uint64_t{1} << 59;
constexpr std::uint64_t kDirectory = std::uint64_t{1} << 61;
constexpr std::uint64_t kReadMaps = kDirectory | std::uint64_t{1} << 60;
constexpr std::uint64_t kThreadClocks = std::uint64_t{1} << 62;
constexpr std::uint64_t kSyncClocks = kThreadClocks | std::uint64_t{1} << 61;
constexpr std::uint64_t kClockLines = 1024;  // room of one vector clock

constexpr std::uint64_t map_line(std::uint64_t number, unsigned part) {
  return kMap + 2 * number + part;
}
constexpr std::uint64_t directory_line(std::uint64_t number) {
  return kDirectory + number / 512;
}
constexpr std::uint64_t read_map_line(std::uint64_t number) {
  return kReadMaps + number;
}
constexpr std::uint64_t thread_clock_line(std::uint64_t slot, std::uint64_t entry) {
  return kThreadClocks + slot * kClockLines + entry / 16 % kClockLines;
}
constexpr std::uint64_t sync_clock_line(std::uint64_t object, std::uint64_t entry) {
  return kSyncClocks + (object * 0x9e37'79b9'7f4a'7c15u >> 20) % (std::uint64_t{1} << 44) * 16 +
         entry / 16 % 16;
}

}  // namespace software

class SoftwareWork {
 public:
  void instructions(std::uint64_t n) { cycles_ += n; }
  void latency(std::uint64_t n) { cycles_ += n; }
  void touch(std::uint64_t number, bool write) { touches_.push_back({number, write, false}); }
  // Where RADISH's checks and handlers go: there are few for a line, so that the core has hardly
  // ever used it lately (Hierarchy::touch_rare).
  void touch_rare(std::uint64_t number, bool write) { touches_.push_back({number, write, true}); }
  bool empty() const { return cycles_ == 0 && touches_.empty(); }

  // Does it all on `core`; the cycles it took.
  std::uint64_t run(Hierarchy& h, unsigned core) {
    // Of a long list, what comes next is asked of the host's memory beforehand; a check's few are
    // foreseen with its access (radish/foresight.cpp).
    constexpr std::size_t kFew = 8;
    constexpr std::size_t kApart = 5;
    const std::size_t n = touches_.size();
    if (n > kFew) {
      for (std::size_t i = 0; i < 2 * kApart; ++i) foresee(h, core, i, kApart);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (n > kFew) foresee(h, core, i + 2 * kApart, kApart);
      const Touch t = touches_[i];  // a touch may evict, and the handler's buffer is elsewhere
      cycles_ += t.rare ? h.touch_rare(core, t.number, t.write) : h.touch(core, t.number, t.write);
    }
    touches_.clear();
    return std::exchange(cycles_, 0);
  }

 private:
  struct Touch {
    std::uint64_t number;
    bool write;
    bool rare;
  };

  // The first step for touch i, and later ones for those before it.
  void foresee(Hierarchy& h, unsigned core, std::size_t i, std::size_t apart) const {
    const std::size_t n = touches_.size();
    if (i < n) {
      if (!touches_[i].rare) h.prefetch_near(core, touches_[i].number);
      h.lines().prefetch_chain(touches_[i].number);
      h.prefetch_set(touches_[i].number);
    }
    if (i - apart < n) {
      h.lines().prefetch_first(touches_[i - apart].number);
      h.prefetch_victims(core, touches_[i - apart].number);
    }
  }

  std::vector<Touch> touches_;
  std::uint64_t cycles_ = 0;
};

}  // namespace steward::sim
