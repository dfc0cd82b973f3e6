#include "report/read_json.h"

#include <charconv>
#include <concepts>
#include <fmt/format.h>
#include <map>
#include <simdjson.h>
#include <tuple>
#include <utility>

#include "report/json.h"

namespace steward::report {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

struct Wrong {
  std::string what;
};

[[noreturn]] void wrong(std::string_view key, const char* expected) {
  throw Wrong{fmt::format("\"{}\" is not {}", key, expected)};
}

template <class T>
bool found(const object& in, std::string_view key, T& out, const char* expected) {
  element value;
  if (in.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return false;
  if (value.get(out) != simdjson::SUCCESS) wrong(key, expected);
  return true;
}

void read(const object& in, std::string_view key, std::string& to) {
  std::string_view text;
  if (found(in, key, text, "a string")) to = text;
}

void read(const object& in, std::string_view key, bool& to) {
  found(in, key, to, "true or false");
}

void read(const object& in, std::string_view key, double& to) {
  found(in, key, to, "a number");
}

template <std::integral T>
void read(const object& in, std::string_view key, T& to) {
  std::int64_t n = 0;
  if (!found(in, key, n, "a whole number")) return;
  if (!std::in_range<T>(n)) wrong(key, "a number in range");
  to = static_cast<T>(n);
}

template <class T>
void read(const object& in, std::string_view key, std::optional<T>& to) {
  element value;
  if (in.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return;
  read(in, key, to.emplace());
}

void read_address(const object& in, std::string_view key, Address& to) {
  std::string_view text;
  if (!found(in, key, text, "an address")) return;
  if (!text.starts_with("0x")) wrong(key, "an address");
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, to, 16);
  if (error != std::errc() || stop != end) wrong(key, "an address");
}

template <class Each>
void each(const object& in, std::string_view key, Each one) {
  array list;
  if (!found(in, key, list, "an array")) return;
  for (const element item : list) {
    object fields;
    if (item.get(fields) != simdjson::SUCCESS) wrong(key, "an array of objects");
    one(fields);
  }
}

void read(const object& in, std::string_view key, std::vector<std::string>& to) {
  array list;
  if (!found(in, key, list, "an array")) return;
  for (const element item : list) {
    std::string_view text;
    if (item.get(text) != simdjson::SUCCESS) wrong(key, "an array of strings");
    to.emplace_back(text);
  }
}

void read(const object& in, std::string_view key, std::vector<std::uint32_t>& to) {
  array list;
  if (!found(in, key, list, "an array")) return;
  for (const element item : list) {
    std::uint64_t n = 0;
    if (item.get(n) != simdjson::SUCCESS || !std::in_range<std::uint32_t>(n)) {
      wrong(key, "an array of ids");
    }
    to.push_back(static_cast<std::uint32_t>(n));
  }
}

Stack stack_of(const object& in, std::string_view key = "stack") {
  Stack stack;
  each(in, key, [&](const object& fields) {
    Frame& f = stack.emplace_back();
    read(fields, "function", f.function);
    read(fields, "file", f.file);
    read(fields, "line", f.line);
    read(fields, "column", f.column);
    read(fields, "start_line", f.start_line);
    read(fields, "module", f.module);
    read_address(fields, "offset", f.offset);
    read_address(fields, "pc", f.pc);
    read(fields, "inlined", f.inlined);
  });
  return stack;
}

template <class Enum>
Enum named(std::string_view text, std::string_view key, std::initializer_list<Enum> values) {
  for (const Enum value : values) {
    if (text == name(value)) return value;
  }
  throw Wrong{fmt::format("\"{}\" is '{}', which is not known", key, text)};
}

Access access_of(const object& in) {
  Access a;
  std::string kind;
  read(in, "kind", kind);
  a.kind =
      named(kind, "kind",
            {AccessKind::Read, AccessKind::Write, AccessKind::AtomicRead, AccessKind::AtomicWrite});
  read(in, "size", a.size);
  read_address(in, "address", a.address);
  read(in, "thread", a.thread);
  read(in, "locks", a.locks);
  read(in, "stack_lost", a.stack_lost);
  a.stack = stack_of(in);
  return a;
}

Memory memory_of(const object& in) {
  Memory m;
  std::string kind = name(m.kind);
  read(in, "kind", kind);
  m.kind = named(kind, "kind",
                 {MemoryKind::Unknown, MemoryKind::Heap, MemoryKind::Global, MemoryKind::Stack,
                  MemoryKind::Tls, MemoryKind::Fd});
  read_address(in, "begin", m.begin);
  read(in, "size", m.size);
  read(in, "thread", m.thread);
  read(in, "fd", m.fd);
  read(in, "symbol", m.symbol);
  read(in, "module", m.module);
  read(in, "file", m.file);
  read(in, "line", m.line);
  m.stack = stack_of(in);
  return m;
}

Verdict verdict_of(const object& in) {
  Verdict v;
  std::string kind = name(v.harm);
  read(in, "kind", kind);
  const auto harm = harm_named(kind);
  if (!harm) throw Wrong{fmt::format("\"verdict\" is '{}', which is not known", kind)};
  v.harm = *harm;
  read(in, "summary", v.summary);
  read(in, "evidence", v.evidence);
  read(in, "variable", v.variable);
  read(in, "model", v.model);
  read(in, "heuristic", v.heuristic);
  read(in, "seed", v.seed);
  read(in, "replay", v.replay);
  read(in, "runs", v.runs);
  read(in, "failures", v.failures);
  read(in, "choices", v.choices);
  read(in, "stale", v.stale);
  v.stale_read = stack_of(in, "stale_read");
  v.stale_write = stack_of(in, "stale_write");
  return v;
}

using ThreadKey = std::tuple<std::uint32_t, int, std::uint32_t>;  // run, process, id
using Threads = std::map<ThreadKey, Thread>;

Race race_of(const object& in, const Threads& threads) {
  Race race;
  read(in, "fingerprint", race.fingerprint);
  read(in, "count", race.count);
  read(in, "pid", race.pid);
  read(in, "run", race.run);
  read_address(in, "address", race.address);
  read(in, "size", race.size);
  each(in, "accesses", [&](const object& a) { race.accesses.push_back(access_of(a)); });
  if (race.accesses.size() != 2) throw Wrong{"a race has other than two \"accesses\""};
  object memory;
  if (found(in, "memory", memory, "an object")) race.memory = memory_of(memory);
  std::vector<std::uint32_t> ids;
  read(in, "threads", ids);
  for (const std::uint32_t id : ids) {
    const auto it = threads.find({race.run, race.pid, id});
    if (it != threads.end()) race.threads.push_back(it->second);
  }
  each(in, "locks", [&](const object& l) {
    Lock& lock = race.locks.emplace_back();
    read(l, "id", lock.id);
    read_address(l, "address", lock.address);
    read(l, "kind", lock.kind);
    lock.stack = stack_of(l);
  });
  object lockset;
  if (found(in, "lockset", lockset, "an object")) {
    Discipline& d = race.discipline.emplace();
    read(lockset, "ordered", d.ordered);
    read(lockset, "later", d.later);
    read(lockset, "earlier", d.earlier);
    read(lockset, "common", d.common);
  }
  object verdict;
  if (found(in, "verdict", verdict, "an object")) race.verdict = verdict_of(verdict);
  each(in, "seen", [&](const object& s) {
    Seen& seen = race.seen.emplace_back();
    read(s, "batch", seen.batch);
    read(s, "runs", seen.runs);
  });
  object frequency;
  if (found(in, "frequency", frequency, "an object")) {
    Frequency& f = race.frequency.emplace();
    read(frequency, "estimate", f.estimate);
    read(frequency, "low", f.low);
    read(frequency, "high", f.high);
    read(frequency, "at_least", f.at_least);
  }
  std::string baseline;
  read(in, "baseline", baseline);
  if (baseline == "new") race.novelty = Novelty::New;
  if (baseline == "known") race.novelty = Novelty::Known;
  return race;
}

Threads threads_of(const object& in) {
  Threads threads;
  each(in, "threads", [&](const object& fields) {
    Thread t;
    read(fields, "id", t.id);
    read(fields, "pid", t.pid);
    read(fields, "run", t.run);
    read(fields, "os", t.os);
    read(fields, "name", t.name);
    read(fields, "parent", t.parent);
    t.stack = stack_of(fields);
    threads.emplace(ThreadKey{t.run, t.pid, t.id}, std::move(t));
  });
  return threads;
}

void read_run(const object& in, Report& report) {
  object run;
  if (!found(in, "run", run, "an object")) return;
  read(run, "command", report.run.command);
  read(run, "seconds", report.run.seconds);
  read(run, "exit_code", report.run.exit_code);
  read(run, "signal", report.run.signal);
  read(run, "folder", report.run.folder);
  read(run, "started", report.run.started);
  read(run, "host", report.run.host);
  each(run, "processes", [&](const object& fields) {
    Process& p = report.processes.emplace_back();
    read(fields, "pid", p.pid);
    read(fields, "exe", p.exe);
    read(fields, "args", p.args);
    read(fields, "complete", p.ended);
    read(fields, "build_id", p.build_id);
    read(fields, "compiler", p.compiler);
    p.tool = report.tool;
  });
}

void read_batches(const object& in, Report& report) {
  each(in, "batches", [&](const object& fields) {
    Batch& b = report.batches.emplace_back();
    read(fields, "tool", b.tool);
    read(fields, "sampling_rate", b.sampling_rate);
    if (!(b.sampling_rate > 0 && b.sampling_rate <= 1)) {
      throw Wrong{"\"sampling_rate\" is not above 0 and at most 1"};
    }
    read(fields, "command", b.command);
    read(fields, "folder", b.folder);
    read(fields, "runs", b.runs);
    read(fields, "incomplete", b.incomplete);
  });
  read(in, "unseen", report.unseen);
}

void read_maps(const object& in, Report& report) {
  object map;
  if (found(in, "settings", map, "an object")) {
    for (const auto field : map) read(map, field.key, report.settings[std::string(field.key)]);
  }
  if (found(in, "stats", map, "an object")) {
    for (const auto field : map) read(map, field.key, report.stats[std::string(field.key)]);
  }
  if (!found(in, "sources", map, "an object")) return;
  for (const auto file : map) {
    object lines;
    if (file.value.get(lines) != simdjson::SUCCESS) wrong("sources", "an object of objects");
    auto& to = report.sources[std::string(file.key)];
    for (const auto line : lines) {
      unsigned number = 0;
      std::string_view text;
      const char* end = line.key.data() + line.key.size();
      if (std::from_chars(line.key.data(), end, number).ptr != end ||
          line.value.get(text) != simdjson::SUCCESS) {
        wrong("sources", "lines by number");
      }
      to.emplace(number, text);
    }
  }
}

Report report_of(const element& root) {
  object in;
  if (root.get(in) != simdjson::SUCCESS) throw Wrong{"not a JSON object"};
  element races;
  if (in.at_key("races").get(races) != simdjson::SUCCESS) {
    throw Wrong{"no \"races\": not a report of 'steward run --json'"};
  }
  int version = 0;
  read(in, "version", version);
  if (version != kReportVersion) {
    throw Wrong{
        fmt::format("\"version\" is {}; this steward reads version {}", version, kReportVersion)};
  }
  Report report;
  read(in, "tool", report.tool);
  read(in, "steward", report.version);
  read(in, "sampling_rate", report.sampling_rate);
  if (report.sampling_rate && !(*report.sampling_rate > 0 && *report.sampling_rate <= 1)) {
    throw Wrong{"\"sampling_rate\" is not above 0 and at most 1"};
  }
  read(in, "incomplete", report.incomplete);
  read_run(in, report);
  read_batches(in, report);
  const Threads threads = threads_of(in);
  for (const auto& [key, thread] : threads) report.threads.push_back(thread);
  each(in, "races", [&](const object& r) { report.races.push_back(race_of(r, threads)); });
  each(in, "messages", [&](const object& fields) {
    Message& m = report.messages.emplace_back();
    read(fields, "level", m.level);
    read(fields, "text", m.text);
    read(fields, "pid", m.pid);
    m.stack = stack_of(fields);
  });
  read(in, "problems", report.problems);
  read(in, "suppressed", report.suppressed);
  read_maps(in, report);
  return report;
}

}  // namespace

struct JsonReader::Parser {
  simdjson::dom::parser parser;
};

JsonReader::JsonReader() : parser_(std::make_unique<Parser>()) {}
JsonReader::~JsonReader() = default;

JsonReader::Result JsonReader::read(std::string_view text) {
  element root;
  const auto error = parser_->parser.parse(text.data(), text.size()).get(root);
  if (error != simdjson::SUCCESS) {
    return {std::nullopt,
            fmt::format("not JSON, or cut short: {}", simdjson::error_message(error))};
  }
  try {
    return {report_of(root), {}};
  } catch (const Wrong& e) {
    return {std::nullopt, e.what};
  }
}

}  // namespace steward::report
