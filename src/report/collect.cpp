#include "report/collect.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <type_traits>

#include "report/elf_file.h"
#include "report/fingerprint.h"
#include "report/frames.h"

namespace steward::report {

namespace {

// A file of noise is one complaint, not a million.
constexpr std::size_t kComplaints = 3;

}  // namespace

int Collector::pid(const Source& source) const {
  return source.process_ ? report_.processes[*source.process_].pid : 0;
}

void Collector::problem(Source& source, std::string_view what) {
  report_.incomplete = true;
  if (++source.broken_ > kComplaints) return;
  report_.problems.push_back(
      fmt::format("{}:{}: {}; the line is left out", source.name_, source.lines_, what));
}

News Collector::take(Source& source, std::string_view line) {
  ++source.lines_;
  if (line.empty()) return {};
  const ParsedLine parsed = parse_record(line);
  if (!parsed.error.empty()) problem(source, parsed.error);
  if (!parsed.record) return {};
  return std::visit(
      [&](const auto& record) -> News {
        using T = std::decay_t<decltype(record)>;
        if constexpr (std::is_same_v<T, RaceRecord>) return race(source, record);
        if constexpr (std::is_same_v<T, MessageRecord>) return message(source, record);
        if constexpr (std::is_same_v<T, StartRecord>) begin(source, record);
        if constexpr (std::is_same_v<T, SuppressionsRecord>) add_rules(record);
        if constexpr (std::is_same_v<T, ModuleRecord>) source.modules_.add(record);
        if constexpr (std::is_same_v<T, ThreadRecord>) source.threads_[record.id] = record;
        if constexpr (std::is_same_v<T, EndRecord>) end(source, record);
        return {};
      },
      *parsed.record);
}

void Collector::begin(Source& source, const StartRecord& start) {
  // An image that calls exec writes no end: the next start is its end.
  if (source.process_) report_.processes[*source.process_].ended = true;
  source.modules_ = {};
  source.threads_.clear();
  source.races_ = 0;
  source.process_ = report_.processes.size();
  const Image& image = this->image(start.exe);
  report_.processes.push_back({start.pid, start.tool, start.exe, start.args, false,
                               image.instrumented, image.build_id, image.compiler});
  if (report_.tool.empty()) report_.tool = start.tool;
  if (!report_.sampling_rate) report_.sampling_rate = start.sampling_rate;
}

void Collector::add_rules(const SuppressionsRecord& rules) {
  if (!own_rules_.insert(rules.text).second) return;  // a forked child has them too
  for (std::string& line : suppressions_.parse(rules.text, "__tsan_default_suppressions")) {
    report_.problems.push_back(std::move(line));
  }
}

const Collector::Image& Collector::image(const std::string& exe) {
  const auto [it, fresh] = images_.try_emplace(exe);
  if (fresh) {
    const ElfFacts facts = read_elf(exe);
    it->second = {facts.kind != FileKind::Elf || facts.imports_tsan, facts.build_id,
                  facts.compiler};
  }
  return it->second;
}

bool Collector::checked() const {
  return std::any_of(report_.processes.begin(), report_.processes.end(),
                     [](const Process& p) { return p.instrumented; });
}

void Collector::end(Source& source, const EndRecord& end) {
  if (source.process_) report_.processes[*source.process_].ended = true;
  for (const auto& [key, value] : end.stats) {
    std::int64_t& sum = report_.stats[key];
    if (__builtin_add_overflow(sum, value, &sum)) sum = value;
  }
  if (end.sampling) {
    if (!report_.sampling) report_.sampling.emplace();
    *report_.sampling += *end.sampling;
  }
  if (end.races > source.races_) {
    report_.incomplete = true;
    report_.problems.push_back(fmt::format("{}: {} of {} races have no record; is the disk full?",
                                           source.name_, end.races - source.races_, end.races));
  }
}

Stack Collector::named(Source& source, const RawStack& raw) {
  Stack stack = namer_.stack(source.modules_, raw);
  trim(stack);
  return stack;
}

Thread Collector::thread(Source& source, std::uint32_t id) {
  Thread out;
  out.id = id;
  out.pid = pid(source);
  const auto it = source.threads_.find(id);
  if (it == source.threads_.end()) return out;
  const ThreadRecord& raw = it->second;
  out.os = raw.os;
  out.name = raw.name;
  if (id != 0) out.parent = raw.parent;  // main has none
  out.stack = named(source, raw.stack);
  return out;
}

News Collector::race(Source& source, const RaceRecord& raw) {
  ++source.races_;
  if (source.process_) report_.processes[*source.process_].instrumented = true;
  Race race;
  race.pid = pid(source);
  race.address = raw.address;
  race.size = raw.size;
  std::set<std::uint32_t> threads;
  for (const RawAccess& a : raw.accesses) {
    race.accesses.push_back(
        {a.kind, a.address, a.size, a.thread, named(source, a.stack), a.stack_lost, a.locks});
    threads.insert(a.thread);
  }
  race.discipline = raw.discipline;
  Memory& memory = race.memory;
  memory.kind = raw.memory.kind;
  memory.begin = raw.memory.begin;
  memory.size = raw.memory.size;
  memory.thread = raw.memory.thread;
  memory.fd = raw.memory.fd;
  memory.stack = named(source, raw.memory.stack);
  if (memory.thread) threads.insert(*memory.thread);
  if (memory.kind == MemoryKind::Global) namer_.global(source.modules_, raw.address, memory);
  for (const RawLock& lock : raw.locks) {
    race.locks.push_back({lock.id, lock.address, lock.kind, named(source, lock.stack)});
  }

  if (suppressions_.matches(race)) {
    ++report_.suppressed;
    return {};
  }
  if (const auto first = merger_.add(race, report_.races.size())) {
    ++report_.races[*first].count;
    return {};
  }
  for (const std::uint32_t id : threads) {
    race.threads.push_back(thread(source, id));
    const Thread& t = race.threads.back();
    const bool listed = std::any_of(
        report_.threads.begin(), report_.threads.end(),
        [&](const Thread& o) { return o.id == t.id && o.pid == t.pid && o.os == t.os; });
    if (!listed) report_.threads.push_back(t);
  }
  race.fingerprint = fingerprint(race);
  report_.races.push_back(std::move(race));
  return {&report_.races.back(), nullptr};
}

News Collector::message(Source& source, const MessageRecord& raw) {
  Message message{pid(source), raw.level, raw.kind, raw.text, named(source, raw.stack)};
  if (suppressions_.matches(message)) return {};
  report_.messages.push_back(std::move(message));
  return {nullptr, &report_.messages.back()};
}

void Collector::close(Source& source, std::string_view rest) {
  if (!rest.empty()) report_.incomplete = true;  // cut short in the middle of a write
  if (source.broken_ > kComplaints) {
    report_.problems.push_back(
        fmt::format("{}: {} broken lines in all", source.name_, source.broken_));
  }
  if (source.process_) {
    const Process& process = report_.processes[*source.process_];
    if (!process.ended && process.instrumented) report_.incomplete = true;
  } else {
    report_.incomplete = true;
  }
  for (const std::string& line : namer_.complaints()) {
    if (std::find(report_.problems.begin(), report_.problems.end(), line) ==
        report_.problems.end()) {
      report_.problems.push_back(line);
    }
  }
}

}  // namespace steward::report
