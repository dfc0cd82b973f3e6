// Cores that run the threads of a trace, and their time.
//
// Events take place in the order of the trace. Each core counts its own cycles; what synchronises
// threads also synchronises their clocks: an acquire is not over before the release it follows, a
// join not before the end of the thread. A thread that acts and has no core takes a free one, or
// that of the thread that has been silent longest.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "core/detector/synchronise.h"
#include "sim/run/detection.h"
#include "sim/run/heap_pages.h"
#include "sim/run/simulation.h"

namespace steward::sim {

template <class Detection>
class Machine final : public Simulation {
 public:
  Machine(const Config& config, Fault fault)
      : config_(config),
        pool_(pages_),
        hierarchy_(config_),
        order_(pool_),
        detection_(config_, hierarchy_, pool_, order_, counts_, fault),
        carriers_by_id_(pool_),
        objects_(pool_),
        cores_(config.cores + config.async_cores),
        next_sample_(config.sample),
        sample_every_(config.sample),
        line_shift_(static_cast<unsigned>(std::countr_zero(config.line))) {}

  void process(std::span<const Event> events, RacySink& sink) override {
    const Ahead ahead = worth_looking();
    detection_.looks_ahead(ahead == Ahead::Far);
    std::size_t seen = 0;  // what lies before has been foreseen
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (ahead == Ahead::Far) {
        seen = look_far_ahead(events, seen, i);
      } else if (ahead == Ahead::Near) {
        look_ahead(events, i);
      }
      step(events[i], sink);
      ++counts_.events;
    }
  }

  std::uint64_t cycles() const override {
    std::uint64_t last = 0;
    for (const Core& c : cores_) last = std::max(last, c.time);
    return last;
  }
  const Counts& counts() const override { return counts_; }
  const std::vector<ContentsSample>& samples() const override { return samples_; }
  std::uint64_t cache_lines() const override { return hierarchy_.capacity(); }
  std::size_t memory() const override { return pool_.peak(); }

  Detection& detection() { return detection_; }
  Hierarchy& hierarchy() { return hierarchy_; }
  HappensBefore& order() { return order_; }

 private:
  static constexpr std::uint32_t kNobody = kNone;
  static constexpr std::size_t kMaxSamples = 2048;

  struct Core {
    std::uint64_t time = 0;
    std::uint32_t carrier = kNobody;
    std::uint64_t last_event = 0;
    std::uint64_t checks_done = 0;       // when the last check it gave away will be
    std::vector<std::uint64_t> waiting;  // of a spare core: when each check in its queue will be
  };
  // A low-level thread. The language thread that it runs is what detection knows.
  struct Carrier {
    ThreadId id{};
    ThreadId language{};
    std::uint64_t time = 0;
    std::uint32_t core = kNone;
    std::uint32_t last_core = 0;
    Address stack_begin = 0, stack_end = 0;
  };

  // The simulator waits for the host's memory, and the coming accesses are known: what they will
  // look at is asked for beforehand. To look ahead costs as much as a quick access, and gains where
  // few are quick; to look farther costs several times as much, and gains where many ask software.
  // What will be is as what was.
  enum class Ahead : std::uint8_t { Not, Near, Far };
  Ahead worth_looking() {
    const Counts before = std::exchange(before_, counts_);
    const std::uint64_t accesses = counts_.accesses - before.accesses;
    const std::uint64_t misses = counts_.l1_misses - before.l1_misses;
    const std::uint64_t checks = counts_.software_checks - before.software_checks;
    if (4 * misses <= accesses) return Ahead::Not;
    return 8 * checks <= accesses ? Ahead::Near : Ahead::Far;
  }
  // Without a question that the host could guess wrong.
  [[gnu::always_inline]] void look_ahead(std::span<const Event> events, std::size_t i) {
    constexpr std::size_t kAhead = 16;
    const Event& e = events[std::min(i + kAhead, events.size() - 1)];
    hierarchy_.prefetch_place(last_core(e.thread), e.address >> line_shift_);
  }
  std::size_t look_far_ahead(std::span<const Event> events, std::size_t seen, std::size_t now) {
    constexpr std::size_t kAhead = 40;
    for (const std::size_t end = std::min(now + kAhead, events.size()); seen < end; ++seen) {
      const Event& e = events[seen];
      if (!e.is_access()) continue;
      detection_.foresee(last_core(e.thread), e.kind == EventKind::Write, e.address, e.size);
    }
    return seen;
  }
  unsigned last_core(ThreadId id) const { return last_cores_[raw(id) % last_cores_.size()]; }

  [[gnu::always_inline]] void step(const Event& e, RacySink& sink) {
    if (e.thread == kAllThreads) return;  // sampling periods
    if (e.is_access()) {
      access(e, sink);
    } else if (e.kind == EventKind::Instructions) {
      counts_.instructions += e.size;
      Core& c = core_of(e.thread);
      c.time += e.size;
      if (c.time >= next_sample_) sample();
    } else {
      other_step(e);
    }
  }
  [[gnu::noinline]] void other_step(const Event& e) {
    switch (e.kind) {
      case EventKind::Acquire:
      case EventKind::Release:
      case EventKind::ReleaseMerge:
      case EventKind::Fork:
      case EventKind::Join:
        synchronise_cores(e);
        break;
      case EventKind::ThreadEnd:
        end(carrier(e.thread));
        break;
      case EventKind::Free:
        if (config_.lard) {
          Core& c = core_of(e.thread);
          c.time += detection_.clear(number(c), e.address, e.size);
          settle(c);
        }
        break;
      case EventKind::Move:
        if (config_.lard) {
          Core& c = core_of(e.thread);
          c.time += detection_.copy(number(c), e.address, e.other, e.size);
          settle(c);
        }
        break;
      case EventKind::Switch:
        if (config_.lard) change_identity(e);
        break;
      case EventKind::Stack: {
        Carrier& t = carrier(e.thread);
        t.stack_begin = e.address;
        t.stack_end = e.address + e.size;
        break;
      }
      case EventKind::SystemCall: {  // no effect of a race may leave the program
        Core& c = core_of(e.thread);
        drain(c);
        ++counts_.instructions;
        ++c.time;
        break;
      }
      default:
        break;
    }
  }

  void access(const Event& e, RacySink& sink) {
    Core& c = core_of(e.thread);
    const unsigned n = number(c);
    ++counts_.accesses;
    counts_.instructions += 1 + config_.assumed_instructions;
    c.time += config_.assumed_instructions;
    const bool write = e.kind == EventKind::Write;
    if (needs_no_check(e, carriers_[c.carrier])) {
      c.time += detection_.untracked(n, write, e.address, e.size);
      settle(c);
      return;
    }
    const AccessKind kind = e.atomic ? (write ? AccessKind::AtomicWrite : AccessKind::AtomicRead)
                                     : (write ? AccessKind::Write : AccessKind::Read);
    const bool spare = Detection::kDetects && config_.async_cores != 0;
    const unsigned handler = spare ? least_busy_spare() : n;
    const Cost cost =
        detection_.access(n, carriers_[c.carrier].language, kind, e.address, e.size, handler);
    c.time += cost.cycles;
    if (cost.software != 0) {
      if (spare) {
        hand_over(c, cores_[handler], cost.software);
      } else {
        c.time += cost.software;
      }
    }
    if (e.atomic) {
      ++counts_.atomic;
    } else {
      ++(cost.stage == Stage::Permission ? counts_.by_permission
         : cost.stage == Stage::Hardware ? counts_.by_hardware
                                         : counts_.by_software);
    }
    if (cost.race) {
      ++counts_.racy_accesses;
      sink.race({counts_.events, e});
    }
    settle(c);
  }

  bool needs_no_check(const Event& e, const Carrier& who) {
    if (e.system && config_.lard) {
      ++counts_.untracked;
      return true;
    }
    if (config_.filter_stack && e.address >= who.stack_begin &&
        e.address + e.size <= who.stack_end) {
      ++counts_.stack;
      return true;
    }
    if (!config_.race_free.empty()) {
      const auto after =
          std::upper_bound(config_.race_free.begin(), config_.race_free.end(), e.address,
                           [](Address a, const AddressRange& r) { return a < r.first; });
      if (after != config_.race_free.begin() && e.address + e.size <= (after - 1)->second) {
        ++counts_.race_free;
        return true;
      }
    }
    return false;
  }

  // What an event leaves behind: evicted metadata to store, a sample that is due.
  void settle(Core& c) {
    if (detection_.must_handle_evictions()) [[unlikely]]
      handle_evictions(c);
    if (c.time >= next_sample_) [[unlikely]]
      sample();
  }
  [[gnu::noinline]] void handle_evictions(const Core& c) {
    const bool spare = config_.async_cores != 0;
    const unsigned handler = spare ? least_busy_spare() : number(c);
    const std::uint64_t cycles = detection_.handle_evictions(handler);
    if (cycles == 0) return;
    Core& h = cores_[handler];
    if (spare) h.time = std::max(h.time, c.time);
    h.time += cycles;
  }

  [[gnu::noinline]] void sample() {
    const std::uint64_t now = cycles();
    if (now < next_sample_) return;
    samples_.push_back({now, hierarchy_.contents()});
    if (samples_.size() == kMaxSamples) {  // half of them, twice as far apart
      for (std::size_t i = 0; i < kMaxSamples / 2; ++i) samples_[i] = samples_[2 * i + 1];
      samples_.resize(kMaxSamples / 2);
      sample_every_ *= 2;
    }
    next_sample_ = (now / sample_every_ + 1) * sample_every_;
  }

  // Asynchronous checks (RADISH paper, Section 5.3).
  unsigned least_busy_spare() const {
    const auto first = cores_.begin() + static_cast<std::ptrdiff_t>(config_.cores);
    const auto it = std::min_element(first, cores_.end(),
                                     [](const Core& a, const Core& b) { return a.time < b.time; });
    return static_cast<unsigned>(it - cores_.begin());
  }
  // A spare core with a full queue takes no more: the core does the check itself.
  void hand_over(Core& c, Core& spare, std::uint64_t cycles) {
    c.time += config_.async_enqueue;
    auto& w = spare.waiting;
    w.erase(std::remove_if(w.begin(), w.end(), [&](std::uint64_t t) { return t <= c.time; }),
            w.end());
    if (w.size() >= config_.async_queue) {
      c.time += cycles;
      return;
    }
    spare.time = std::max(spare.time, c.time) + cycles;
    w.push_back(spare.time);
    c.checks_done = std::max(c.checks_done, spare.time);
  }
  // All checks that a core has out are done before it synchronises.
  void drain(Core& c) { c.time = std::max(c.time, c.checks_done); }

  unsigned number(const Core& c) const { return static_cast<unsigned>(&c - cores_.data()); }

  Carrier& carrier(ThreadId id) {
    Known& known = known_[raw(id) % known_.size()];
    if (known.id != id) known = {id, find_carrier(id)};
    return carriers_[known.carrier];
  }
  [[gnu::noinline]] std::uint32_t find_carrier(ThreadId id) {
    std::uint32_t& i = carriers_by_id_.get(raw(id), kNone);
    if (i == kNone) {
      i = static_cast<std::uint32_t>(carriers_.size());
      carriers_.push_back({});
      carriers_.back().id = carriers_.back().language = id;
    }
    return i;
  }

  Core& core_of(ThreadId id) {
    Carrier& t = carrier(id);
    if (t.core == kNone) give_core(t);
    Core& c = cores_[t.core];
    c.last_event = counts_.events;
    return c;
  }

  [[gnu::noinline]] void give_core(Carrier& t) {
    std::uint32_t chosen = t.last_core;
    if (cores_[chosen].carrier != kNobody) {
      chosen = 0;
      for (std::uint32_t i = 1; i < config_.cores; ++i) {
        const bool better_free = cores_[chosen].carrier != kNobody && cores_[i].carrier == kNobody;
        const bool both_busy = cores_[chosen].carrier != kNobody && cores_[i].carrier != kNobody;
        if (better_free || (both_busy && cores_[i].last_event < cores_[chosen].last_event)) {
          chosen = i;
        }
      }
    }
    Core& c = cores_[chosen];
    if (c.carrier != kNobody) {
      ++counts_.context_switches;
      take_core(carriers_[c.carrier]);
      c.time += config_.context_switch;
    }
    c.time = std::max(c.time, t.time);
    c.carrier = static_cast<std::uint32_t>(&t - carriers_.data());
    t.core = t.last_core = chosen;
    last_cores_[raw(t.id) % last_cores_.size()] = static_cast<std::uint8_t>(chosen);
    c.time += detection_.schedule(chosen, t.language);
  }
  void take_core(Carrier& t) {
    Core& c = cores_[t.core];
    drain(c);
    c.time += detection_.unschedule(t.core);
    t.time = c.time;
    t.core = kNone;
    c.carrier = kNobody;
  }

  // It leaves its core; what it has there goes when somebody else comes.
  void leave_core(Carrier& t) {
    if (t.core == kNone) return;
    Core& c = cores_[t.core];
    drain(c);
    detection_.ended(t.core);
    t.time = c.time;
    t.core = kNone;
    c.carrier = kNobody;
  }
  void end(Carrier& t) {
    leave_core(t);
    if constexpr (Detection::kDetects) order_.end(t.language);
  }

  // Section 4.2: the same as a context switch, in the software manager.
  void change_identity(const Event& e) {
    Core& c = core_of(e.thread);
    Carrier& t = carriers_[c.carrier];
    if (t.language == e.target_thread()) return;
    ++counts_.identity_switches;
    drain(c);
    if (Detection::kDetects) c.time += config_.software_entry + detection_.unschedule(number(c));
    t.language = e.target_thread();
    c.time += detection_.schedule(number(c), t.language);
  }

  // Whoever still runs the joined thread is off its core afterwards: its state is about to go.
  void join(Core& c, ThreadId joined, ThreadId self, bool tracked) {
    if (joined == self) return;
    bool running = false;
    for (std::uint32_t i = 0; i < config_.cores; ++i) {
      const std::uint32_t who = cores_[i].carrier;
      if (who == kNobody || carriers_[who].language != joined) continue;
      running = true;
      c.time = std::max(c.time, cores_[i].time);
      if (tracked) leave_core(carriers_[who]);
    }
    if (!running) c.time = std::max(c.time, carrier(joined).time);
  }

  void synchronise_cores(const Event& e) {
    ++counts_.syncs;
    ++counts_.instructions;
    Core& c = core_of(e.thread);
    drain(c);
    c.time += config_.sync;
    const ThreadId language = carriers_[c.carrier].language;
    const bool tracked = !(e.system && config_.lard);
    switch (e.kind) {
      case EventKind::Acquire:
        c.time += detection_.untracked(number(c), true, e.address, 1);
        c.time = std::max(c.time, object(e));
        break;
      case EventKind::Release:
      case EventKind::ReleaseMerge: {
        c.time += detection_.untracked(number(c), true, e.address, 1);
        std::uint64_t& at = object(e);
        at = std::max(at, c.time);
        break;
      }
      case EventKind::Fork: {
        const std::uint64_t now = c.time;
        Carrier& child = carrier(e.target_thread());
        child.time = std::max(child.time, now);
        break;
      }
      default:  // Join
        join(c, e.target_thread(), language, tracked);
        break;
    }
    if constexpr (Detection::kDetects) {
      if (tracked) {
        synchronise(order_, e, language, any_readers_);
        c.time += clock_work(number(c), e);
      }
    }
    settle(c);
  }

  std::uint64_t& object(const Event& e) { return objects_.get(e.address); }

  // The synchronisation library joins or copies a vector clock: all its entries.
  std::uint64_t clock_work(unsigned core, const Event& e) {
    const std::uint64_t entries = order_.slots();
    work_.instructions(entries * config_.clock_instructions);
    const bool release = e.kind == EventKind::Release || e.kind == EventKind::ReleaseMerge;
    const std::uint64_t what = e.kind == EventKind::Fork || e.kind == EventKind::Join
                                   ? std::uint64_t{e.target} << 32
                                   : e.address;
    for (std::uint64_t i = 0; i < entries; i += 16) {
      work_.touch(software::sync_clock_line(what, i), release);
      work_.touch(software::thread_clock_line(core, i), true);
    }
    return work_.run(hierarchy_, core);
  }

  Config config_;
  HeapPages pages_;
  Pool pool_;
  Counts counts_;
  Hierarchy hierarchy_;
  HappensBefore order_;
  Detection detection_;
  SoftwareWork work_;
  bool any_readers_ = false;

  FlatMap<std::uint32_t, std::uint32_t> carriers_by_id_;
  std::vector<Carrier> carriers_;
  struct Known {
    ThreadId id = kAllThreads;
    std::uint32_t carrier = 0;
  };
  std::array<Known, 64> known_{};                  // threads take turns, often few at a time
  std::array<std::uint8_t, 64> last_cores_{};      // of a thread, or of another one
  FlatMap<std::uint64_t, std::uint64_t> objects_;  // when each was last released
  std::vector<Core> cores_;
  std::vector<ContentsSample> samples_;
  std::uint64_t next_sample_;
  std::uint64_t sample_every_;
  Counts before_;  // the last call of process()
  unsigned line_shift_;
};

}  // namespace steward::sim
