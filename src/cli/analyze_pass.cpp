#include "cli/analyze_pass.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/numbers.h"
#include "trace/feasibility.h"
#include "trace/text_ops.h"

#include "analyze/make_detector.h"

namespace steward::cli {

namespace {

// Ids are not dense, but most are small, and threads alternate: no hashing for those.
class ThreadCount {
 public:
  void add(const Event& e) {
    add(e.thread);
    if (e.kind == EventKind::Fork || e.kind == EventKind::Join || e.kind == EventKind::Switch) {
      add(e.target_thread());
    }
  }
  std::uint64_t count() const { return small_count_ + large_.size(); }

 private:
  static constexpr std::uint32_t kSmall = 65536;

  void add(ThreadId id) {
    if (id == last_ || id == kAllThreads) return;
    last_ = id;
    if (raw(id) >= kSmall) {
      large_.insert(raw(id));
    } else if (!small_[raw(id)]) {
      small_[raw(id)] = true;
      ++small_count_;
    }
  }

  ThreadId last_ = kAllThreads;
  std::vector<bool> small_ = std::vector<bool>(kSmall);
  std::uint64_t small_count_ = 0;
  std::unordered_set<std::uint32_t> large_;
};

// To the detector's own table, and to what all found together.
class Tee final : public RaceSink {
 public:
  Tee(analyze::RaceTable& table, std::unordered_set<Address>& all) : table_(&table), all_(&all) {}

  void race(const Race& r) override {
    table_->race(r);
    if (all_->size() < analyze::RaceTable::kMaxDistinct) all_->insert(r.address);
  }

 private:
  analyze::RaceTable* table_;
  std::unordered_set<Address>* all_;
};

class Runner {
 public:
  Runner(const trace::Names& names, const std::string& trace_name, bool lenient, Pass& pass)
      : name_(trace_name), lenient_(lenient), pass_(&pass), feasibility_(names) {}

  // False: an event cannot have happened, and those before it were analysed.
  bool take(std::span<const Event> batch) {
    const std::size_t feasible = check(batch);
    for (const Event& e : batch.first(feasible)) threads_.add(e);
    for (Contestant& c : pass_->contestants) {
      Tee sink(c.races, pass_->racy_addresses);
      const auto start = std::chrono::steady_clock::now();
      c.detector->process(batch.first(feasible), sink);
      c.spent += std::chrono::steady_clock::now() - start;
    }
    pass_->events += feasible;
    pass_->threads = threads_.count();
    return feasible == batch.size();
  }

 private:
  // How many events from the first on may be analysed.
  std::size_t check(std::span<const Event> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto complaint = feasibility_.check(batch[i]);
      if (!complaint) continue;
      const std::string line =
          fmt::format("{}: event {}: {}", name_, grouped(pass_->events + i + 1), *complaint);
      if (!lenient_) {
        pass_->cut_short = line;
        pass_->infeasible = true;
        return i;
      }
      note(batch[i], line);
    }
    return batch.size();
  }

  void note(const Event& e, const std::string& line) {
    const trace::TextOp* op = trace::text_op(e);
    const std::string_view word = op != nullptr ? op->word : "?";
    auto& list = pass_->complaints;
    auto found = std::find_if(list.begin(), list.end(),
                              [word](const Complaint& c) { return c.operation == word; });
    if (found == list.end()) {
      list.push_back({word, 0, {}});
      found = list.end() - 1;
    }
    ++found->count;
    if (found->first.size() < Complaint::kKept) found->first.push_back(line);
  }

  std::string name_;
  bool lenient_;
  Pass* pass_;
  trace::Feasibility feasibility_;
  ThreadCount threads_;
};

}  // namespace

Pass run_pass(trace::Reader& reader, const std::string& name,
              const std::vector<analyze::DetectorSpec>& specs, bool lenient, Progress& progress) {
  Pass pass;
  for (const analyze::DetectorSpec& spec : specs) {
    Contestant c;
    c.spec = spec;
    c.detector = analyze::make_detector(spec);
    pass.contestants.push_back(std::move(c));
  }
  Runner runner(reader.names(), name, lenient, pass);
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    if (!runner.take(batch)) return pass;
    progress.show(reader.progress(), pass.events);
  }
  if (reader.error()) {
    pass.cut_short = reader.error()->message;
  } else if (reader.partial()) {
    pass.cut_short = reader.partial();
  }
  return pass;
}

}  // namespace steward::cli
