// Threads on cores: who runs where, and what happens to metadata when that changes (RADISH paper,
// Section 4.6).
#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

#include "sim/radish/radish.h"

namespace steward::sim {

Radish::Radish(const Config& config, Hierarchy& hierarchy, Pool& pool, HappensBefore& order,
               Counts& counts, Fault fault)
    : config_(&config),
      hierarchy_(&hierarchy),
      pool_(&pool),
      order_(&order),
      counts_(&counts),
      fault_(fault),
      use_permissions_(config.permissions),
      use_status_(config.status),
      line_shift_(static_cast<unsigned>(std::countr_zero(config.line))),
      line_size_(static_cast<unsigned>(config.line)),
      half_size_(static_cast<unsigned>(config.line / 2)),
      all_bytes_(bytes_from(0, static_cast<unsigned>(config.line))),
      running_(config.cores, kNone),
      threads_(config.cores, kAllThreads),
      map_(pool) {
  hierarchy.set_owner(this);
}

// Eagerly flushed, a core's metadata is its current thread's. Lazily, each thread has a region of
// its own on each core.
Radish::Context& Radish::context_of(unsigned core, ThreadId thread) {
  const Slot slot = order_->thread(thread).now.slot();
  for (Context& c : contexts_) {
    if (c.core == core && (config_->flush == Flush::Eager || c.slot == slot)) return c;
  }
  contexts_.emplace_back(*config_);
  contexts_.back().core = core;
  contexts_.back().number = static_cast<std::uint32_t>(contexts_.size() - 1);
  contexts_.back().slot = slot;
  return contexts_.back();
}

std::uint64_t Radish::schedule(unsigned core, ThreadId thread) {
  const std::uint64_t cycles = unschedule(core);
  Context& c = context_of(core, thread);
  const HappensBefore::Thread& t = order_->thread(thread);
  c.slot = t.now.slot();
  c.thread = &t;
  c.on_core = true;
  // Permissions say nothing of what happened while the thread was away.
  if (fault_ != Fault::SwitchKeepsPermissions) ++c.schedule;
  if (c.live == 0) c.clocks.restart(t.now.clock());
  c.now = {};
  running_[core] = c.number;
  threads_[core] = thread;
  return cycles;
}

std::uint64_t Radish::unschedule(unsigned core) {
  if (running_[core] == kNone) return 0;
  Context& c = contexts_[running_[core]];
  running_[core] = kNone;
  c.thread = nullptr;
  c.on_core = false;
  return config_->flush == Flush::Eager ? flush(c) : 0;
}

void Radish::ended(unsigned core) {
  if (running_[core] != kNone) contexts_[running_[core]].thread = nullptr;
}

// All that a context has goes to software, the latest first; what the next ones need is asked of
// the host's memory beforehand.
template <class F>
void Radish::evict_all(Context& c, F before_each) {
  std::vector<std::uint32_t> leaving;
  leaving.reserve(c.live);
  std::copy_if(c.copies.rbegin(), c.copies.rend(), std::back_inserter(leaving),
               [](std::uint32_t i) { return i != kNone; });
  constexpr std::size_t kApart = 6;
  constexpr std::size_t kAhead = kEvictionStages * kApart;
  for (std::size_t k = 0; k < leaving.size() + kAhead; ++k) {
    for (unsigned stage = 0; stage < kEvictionStages; ++stage) {
      const std::size_t at = k - stage * kApart;  // beyond the end, if there is none yet
      if (at < leaving.size()) foresee_eviction(stage, leaving[at]);
    }
    if (k < kAhead) continue;
    before_each(leaving[k - kAhead]);
    evict_from_caches(leaving[k - kAhead]);
  }
  assert(c.live == 0);
  c.copies.clear();
}

// Brings software up to date, line by line. Cycles, of which none when there is nothing to do.
std::uint64_t Radish::flush(Context& c) {
  if (c.live == 0) return 0;
  work_.instructions(config_->software_entry);
  evict_all(c, [&](std::uint32_t i) {
    const std::uint64_t number = hierarchy_->lines()[hierarchy_->copies()[i].line].number;
    work_.instructions(config_->evict_instructions);
    work_.touch(software::directory_line(number), false);
    work_.touch_rare(software::map_line(number, 0), true);
    work_.touch_rare(software::map_line(number, 1), true);
    ++counts_->flushed_lines;
  });
  return work_.run(*hierarchy_, c.core);
}

// A code for the thread's clock; when there is none left, all metadata of the core goes to
// software.
void Radish::prepare_clock(Context& c, Outcome& out) {
  const Clock now = c.thread->now.clock();
  if (!c.clocks.advance(now)) {
    ++counts_->rollovers;
    evict_all(c, [](std::uint32_t) {});
    c.clocks.restart(now);
    [[maybe_unused]] const bool fits = c.clocks.advance(now);
    assert(fits);
    out.cycles += config_->rollover;
  }
  c.clocks.hold(now);
  c.now = c.thread->now;
}

}  // namespace steward::sim
