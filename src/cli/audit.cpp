#include "cli/audit.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cli/audit_result.h"
#include "cli/exit_code.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "cli/run_folder.h"
#include "trace/feasibility.h"
#include "trace/reader.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(What a run-time system's lard.h calls are for, in one execution.

A program is run and recorded first; what follows it are its arguments ('--' before it lets them
begin with '-'). Each TRACE is analysed once by seven detectors: one that follows all of LARD's
rules, five that leave one out (AllMem, AllSync, NoClear, NoCopy, NoIdentity) and one that follows
none (Naive). For each: at how many accesses, and places in the source, it reports a race that is
none (F), and misses one (M). Exit code: 0 done, 1 a trace that is broken, cut short or infeasible, 2 wrong usage.)";

struct Options {
  std::vector<std::string> traces;
  bool json = false;
  bool table = false;
};

void complain(const std::string& line) {
  fmt::print(stderr, "steward audit: {}\n", line);
}

bool is_program(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char magic[4] = {};
  in.read(magic, sizeof magic);
  return in.gcount() == 4 && std::string(magic, 4) == "\177ELF";
}

// How many events from the first on can have happened.
std::size_t feasible(std::span<const Event> batch, trace::Feasibility& check, AuditResult& r) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (const auto complaint = check.check(batch[i])) {
      r.cut_short = fmt::format("{}: event {}: {}", r.trace, grouped(r.events + i + 1), *complaint);
      return i;
    }
  }
  return batch.size();
}

AuditResult audit(const std::string& path, trace::Opened in) {
  AuditResult r;
  r.trace = path;
  r.reader = std::move(in.reader);
  r.audit = std::make_unique<analyze::Audit>();
  trace::Feasibility check(r.reader->names());
  Progress progress;
  for (auto batch = r.reader->next(); !batch.empty() && r.cut_short.empty();
       batch = r.reader->next()) {
    const std::size_t n = feasible(batch, check, r);
    r.audit->process(batch.first(n));
    r.events += n;
    progress.show(r.reader->progress(), r.events);
  }
  if (!r.cut_short.empty()) return r;
  if (r.reader->error()) {
    r.cut_short = r.reader->error()->message;
  } else if (r.reader->partial()) {
    r.cut_short = *r.reader->partial();
  }
  return r;
}

int audit_all(const Options& o) {
  std::vector<AuditResult> results;
  int code = kExitOk;
  std::size_t done = 0;
  while (done < o.traces.size()) {
    const std::string& path = o.traces[done];
    RunFolder folder;  // of a program's trace: read before it goes
    std::string file = path;
    if (!is_program(path)) {
      ++done;
    } else {
      if (const std::string failed = folder.make(); !failed.empty()) {
        complain(failed);
        return kExitFailed;
      }
      file = folder.path() + "/trace";
      const RecordOutcome recorded = record(
          {.output = file,
           .quiet = true,
           .command = {o.traces.begin() + static_cast<std::ptrdiff_t>(done), o.traces.end()}});
      done = o.traces.size();
      if (!recorded.has_trace) return kExitFailed;
    }
    trace::Opened in = trace::open_trace(file);
    if (!in.reader) {
      complain(in.error->message);
      return kExitFailed;
    }
    results.push_back(audit(path, std::move(in)));
    const AuditResult& r = results.back();
    if (r.cut_short.empty()) continue;
    complain(r.cut_short);
    complain(fmt::format("the result is partial: {} before this place were analysed",
                         counted(r.events, "event")));
    code = kExitFailed;
  }
  if (o.json) {
    put(audit_json(results, code));
    return code;
  }
  if (!o.table) {
    for (const AuditResult& r : results) put(audit_answer(r) + '\n');
  }
  put(audit_table(results));
  return code;
}

}  // namespace

void add_audit(CLI::App& app, int& exit_code) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("audit", kHelp);
  command
      ->add_option("TRACE", o->traces,
                   "traces of executions, - for standard input; or a program and its arguments")
      ->required();
  command->add_flag("--table", o->table, "print the table only");
  command->add_flag("--json", o->json, "print all of it as JSON");
  command->callback([o, &exit_code] { exit_code = audit_all(*o); });
}

}  // namespace steward::cli
