#include "cli/simulate_pass.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <unordered_set>

#include "cli/numbers.h"
#include "trace/feasibility.h"
#include "trace/reader.h"

namespace steward::cli {

namespace {

class Collector final : public sim::RacySink {
 public:
  Collector(std::uint64_t most, const trace::Names& names, std::vector<RacyPlace>& out)
      : most_(most), names_(&names), out_(&out) {}

  void race(const sim::RacyAccess& r) override {
    if (out_->size() >= most_) return;
    const Event& e = r.access;
    const std::string site = names_->site(e.site);
    out_->push_back({fmt::format("{}{} of {} at {} by {}{}{}", e.atomic ? "atomic " : "",
                                 e.kind == EventKind::Write ? "write" : "read",
                                 counted(e.size, "byte"), names_->variable(e.address),
                                 names_->thread(e.thread), site.empty() ? "" : " at ", site),
                     r.event});
  }

 private:
  std::uint64_t most_;
  const trace::Names* names_;
  std::vector<RacyPlace>* out_;
};

class NoRaces final : public sim::RacySink {
 public:
  void race(const sim::RacyAccess&) override {}
};

struct Running {
  MachineRun run;
  std::unique_ptr<sim::Simulation> machine;
  std::chrono::steady_clock::duration spent{};

  Running(sim::Kind kind, const sim::Config& config) : machine(sim::make_simulation(kind, config)) {
    run.kind = kind;
    run.config = config;
  }
  MachineRun finish() && {
    run.cycles = machine->cycles();
    run.counts = machine->counts();
    run.samples = machine->samples();
    run.cache_lines = machine->cache_lines();
    run.memory = machine->memory();
    run.seconds = std::chrono::duration<double>(spent).count();
    return std::move(run);
  }
};

struct Pass {
  std::vector<Running> machines;
  std::uint64_t events = 0;
  std::unordered_set<std::uint32_t> threads;
  std::vector<RacyPlace> races;
  std::optional<std::string> partial;
  std::optional<std::string> unreadable;

  void run(const std::string& path, const SimulatePlan& plan, Progress& progress) {
    const trace::Opened in = trace::open_trace(path);
    if (!in.reader) {
      unreadable = in.error->message;
      return;
    }
    trace::Reader& reader = *in.reader;
    trace::Feasibility feasibility(reader.names());
    Collector collector(plan.max_races, reader.names(), races);
    NoRaces nothing;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      const std::size_t feasible = plan.lenient ? batch.size() : check(batch, feasibility, path);
      const auto part = batch.first(feasible);
      note_threads(part);
      for (Running& m : machines) {
        const auto start = std::chrono::steady_clock::now();
        if (m.run.kind == sim::Kind::Radish) {
          m.machine->process(part, collector);
        } else {
          m.machine->process(part, nothing);
        }
        m.spent += std::chrono::steady_clock::now() - start;
      }
      events += feasible;
      if (feasible != batch.size()) return;
      progress.show(reader.progress(), events);
    }
    if (reader.error()) {
      partial = reader.error()->message;
    } else if (reader.partial()) {
      partial = reader.partial();
    }
  }

 private:
  std::size_t check(std::span<const Event> batch, trace::Feasibility& feasibility,
                    const std::string& path) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (const auto complaint = feasibility.check(batch[i])) {
        partial = fmt::format("{}: event {}: {} (--lenient goes on past it)", path,
                              grouped(events + i + 1), *complaint);
        return i;
      }
    }
    return batch.size();
  }
  void note_threads(std::span<const Event> batch) {
    ThreadId last = kAllThreads;
    for (const Event& e : batch) {
      if (e.thread == last) continue;
      last = e.thread;
      if (e.thread != kAllThreads) threads.insert(raw(e.thread));
    }
  }
};

}  // namespace

const MachineRun* TraceRun::machine(sim::Kind k) const {
  const auto it = std::find_if(machines.begin(), machines.end(),
                               [k](const MachineRun& m) { return m.kind == k; });
  return it == machines.end() ? nullptr : &*it;
}

TraceRun simulate_trace(const std::string& path, const SimulatePlan& plan, Progress& progress) {
  TraceRun result;
  result.trace = path;
  Pass pass;
  for (const sim::Kind k : plan.machines) pass.machines.emplace_back(k, plan.config);
  pass.run(path, plan, progress);
  result.events = pass.events;
  result.threads = pass.threads.size();
  result.races = std::move(pass.races);
  result.partial = pass.partial;
  result.unreadable = pass.unreadable;
  for (Running& m : pass.machines) result.machines.push_back(std::move(m).finish());
  if (result.unreadable) return result;

  for (const Sweep& sweep : plan.sweeps) {
    std::vector<SweepRun> runs;
    for (const std::string& value : sweep.values) {
      sim::Config config = plan.config;
      sim::set(config, sweep.key, value);  // checked when the command line was read
      Pass again;
      again.machines.emplace_back(sim::Kind::None, config);
      again.machines.emplace_back(sim::Kind::Radish, config);
      again.run(path, plan, progress);
      runs.push_back(
          {value, std::move(again.machines[0]).finish(), std::move(again.machines[1]).finish()});
    }
    result.sweeps.emplace_back(sweep, std::move(runs));
  }
  return result;
}

}  // namespace steward::cli
