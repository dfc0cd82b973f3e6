#include "cli/classify.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cli/classify_reports.h"
#include "cli/classify_result.h"
#include "cli/classify_sites.h"
#include "cli/compile_command.h"
#include "cli/exit_code.h"
#include "cli/program_words.h"
#include "cli/run_check.h"
#include "cli/run_folder.h"
#include "cli/runtime_library.h"
#include "cli/terminal.h"
#include "report/frames.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(Tell which of a program's races do harm.

Runs the program, built with 'steward c++ --jumble', again and again, and answers reads of a racy
variable with any value that the memory model allows. A run that goes wrong proves the race
destructive. Without --reports, --variable, --site or --atomics a first run finds the races.)";

constexpr const char* kFooter = R"(
A run goes wrong if it crashes, hangs, ends with another exit code, writes something else to
standard output or to a --compare file, or fails --check; what differs between runs in which
nothing is jumbled is not compared.
Exit codes: 66 if a variable is destructive, 0 if none is, 1 if it cannot be told, 2 wrong usage,
130 interrupted.)";

constexpr int kExitInterrupted = 130;
constexpr jumble::Heuristic kAdversarial[] = {
    jumble::Heuristic::Oldest, jumble::Heuristic::OldestButDifferent, jumble::Heuristic::Random,
    jumble::Heuristic::RandomButDifferent};

struct Arguments {
  std::string annotate;
  unsigned runs = 100;
  unsigned baseline = 5;
  unsigned detect = 3;
  unsigned jobs = 0;
  double timeout = 0;
  unsigned width = 8;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> replay;
  std::string reports, check, json;
  std::vector<std::string> variables, sites, heuristics, compare, files, indices;
  bool atomics = false, together = false, no_output = false, stats = false, no_color = false;
  std::vector<std::string> command;
};

void add_options(CLI::App& app, Arguments& a) {
  const auto list = [&](const char* option, std::vector<std::string>& to, const char* help) {
    return app.add_option(option, to, help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  app.add_option("--runs", a.runs, "runs a variable, shared by the heuristics (default: 100)")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--reports", a.reports, "races from a report of 'steward run --json'");
  list("--variable", a.variables, "a variable: 'counter', 'Config::ready'; repeatable");
  list("--site", a.sites, "what is accessed at file:line; repeatable");
  app.add_flag("--atomics", a.atomics, "all atomic objects, under C++20's rules");
  app.add_flag("--together", a.together, "all variables at once instead of one after the other");
  list("--array-index", a.indices, "of heap arrays only these elements: 0,1")->delimiter(',');
  list("--heuristic", a.heuristics,
       "oldest, oldest-but-different, random, random-but-different (default: these four), "
       "sequentially-consistent; repeatable")
      ->delimiter(',');
  app.add_option("--atomic-width", a.width, "8-byte values are read in parts of so many bytes: 4")
      ->check(CLI::IsMember({1, 2, 4, 8}));
  app.add_option("--check", a.check,
                 "shell command that fails if a run was wrong; $STEWARD_STDOUT is its output");
  list("--compare", a.compare, "file that the program writes, to be compared; repeatable");
  app.add_flag("--no-output", a.no_output, "do not compare standard output");
  app.add_option("--baseline", a.baseline, "runs with nothing jumbled (default: 5)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--detect", a.detect, "runs that look for races (default: 3)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--timeout", a.timeout,
                 "seconds after which a run hangs (default: ten times the baseline's slowest, at "
                 "least 2)")
      ->check(CLI::PositiveNumber);
  app.add_option("--jobs", a.jobs, "runs at a time (default: processors; 1 with --compare)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--seed", a.seed, "first seed (default: 1)");
  app.add_option("--replay", a.replay, "run once with this seed, and show the stale reads");
  list("--sites", a.files, "further files of the program built with --jumble; repeatable");
  app.add_option(
      "--annotate", a.annotate,
      "with --reports: write that report again, with each race's verdict, for 'steward report'");
  app.add_option("--json", a.json, "write the result as JSON to a file, or - for standard output");
  app.add_flag("--stats", a.stats, "print the sizes of write buffers");
  app.add_flag("--no-color", a.no_color, "no colour, even on a terminal");
}

int complain(int code, const std::string& line) {
  fmt::print(stderr, "steward classify: {}\n", line);
  return code;
}
int usage_error(const std::string& line) {
  return cli::usage_error("steward classify", line);
}

std::optional<jumble::Heuristic> heuristic_named(const std::string& name) {
  for (unsigned h = 0; h < jumble::kHeuristics; ++h) {
    const auto heuristic = static_cast<jumble::Heuristic>(h);
    if (name == jumble::name(heuristic)) return heuristic;
  }
  return std::nullopt;
}

// One line on a terminal, rewritten.
class Bar {
 public:
  Bar() : wanted_(is_terminal(STDERR_FILENO)) {}
  ~Bar() { clear(); }
  void show(const std::string& what, std::size_t done, std::size_t all, std::size_t wrong) {
    if (!wanted_ || all == 0) return;
    constexpr std::size_t kWidth = 24;
    const std::size_t full = done * kWidth / all;
    fmt::print(stderr, "\r\x1b[K[{}{}] {}/{} {}{}", std::string(full, '#'),
               std::string(kWidth - full, '.'), done, all, what,
               wrong != 0 ? fmt::format("  {} wrong", wrong) : "");
    std::fflush(stderr);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool wanted_, drawn_ = false;
};

class Classifier {
 public:
  Classifier(const Arguments& a, std::string path, std::string folder)
      : a_(a),
        detector_(library_folder(kDefaultTool)),
        jumble_(library_folder("jumble")),
        symbolizer_(report::open_symbolizer({})),
        path_(std::move(path)),
        trials_({path_, a.command, a.compare, a.check, std::move(folder), jobs(a)}) {
    result_.command = a.command;
  }

  int run() {
    if (jumble_.empty()) return complain(kExitFailed, no_such_tool("jumble"));
    if (detector_.empty()) return complain(kExitFailed, no_such_tool(kDefaultTool));
    if (const int code = read_sites(); code != kExitOk) return code;
    std::vector<Variable> variables;
    if (const int code = find_variables(variables); code != kExitOk) return code;
    if (a_.replay) return replay(variables);
    if (result_.interrupted) return report();
    if (variables.empty()) {
      fmt::print("steward: no race was found in {} runs: nothing to classify\n",
                 result_.detection_runs);
      return write_json() ? kExitOk : kExitFailed;
    }
    if (const int code = run_baseline(); code != kExitOk) return code;
    if (result_.interrupted) return report();
    for (Variable& v : variables) {
      if (result_.interrupted) break;
      classify(std::move(v));
    }
    return report();
  }

 private:
  static unsigned jobs(const Arguments& a) {
    if (a.jobs != 0) return a.jobs;
    return a.compare.empty() ? std::max(1u, std::thread::hardware_concurrency()) : 1;
  }

  int read_sites() {
    sites_.add(path_);
    for (const std::string& file : a_.files) {
      if (!sites_.add(file)) {
        return complain(kExitFailed, file + " was not built with 'steward c++ --jumble'");
      }
    }
    if (!sites_.empty()) return kExitOk;
    return complain(kExitFailed,
                    fmt::format("{} was not built with 'steward c++ --jumble', so that its memory "
                                "cannot be jumbled; rebuild it (--sites names its libraries, or "
                                "the program that a script starts)",
                                a_.command[0]));
  }

  int find_variables(std::vector<Variable>& out) {
    if (!a_.annotate.empty() && a_.reports.empty()) {
      return usage_error("--annotate needs --reports: the report to write again");
    }
    for (const std::string& name : a_.variables) out.push_back(named_variable(name, sites_));
    for (const std::string& place : a_.sites) out.push_back(variable_at(place, sites_));
    for (const Variable& v : out) {
      if (!v.problem.empty()) return complain(kExitFailed, v.problem);
    }
    if (a_.atomics) {
      Variable v;
      v.name = "all atomic objects";
      v.all_atomics = true;
      out.push_back(std::move(v));
    }
    if (!a_.reports.empty()) {
      std::string error;
      const auto report = read_report(a_.reports, error);
      if (!report) return complain(kExitFailed, error);
      add_racy(*report, out);
    } else if (out.empty()) {
      if (const int code = detect(out); code != kExitOk) return code;
    }
    if ((a_.together || a_.replay) && out.size() > 1) out = {together(out)};
    return kExitOk;
  }

  void add_racy(const report::Report& report, std::vector<Variable>& out) {
    result_.races = report.races.size();
    for (Variable& v : variables_of(report, sites_)) out.push_back(std::move(v));
  }

  int detect(std::vector<Variable>& out) {
    Detection detection(*symbolizer_);
    std::vector<TrialSpec> specs(a_.detect, TrialSpec{detector_, "", 0, 0});
    result_.interrupted = !trials_.run(specs, [&](const TrialSpec&, Trial& t) {
      detection.add(t.records);
      bar_.show("looking for races", ++result_.detection_runs, specs.size(), 0);
      return true;
    });
    bar_.clear();
    if (!trials_.failure().empty()) return complain(kExitFailed, trials_.failure());
    add_racy(detection.report(), out);
    return kExitOk;
  }

  // What is not jumbled is as fast, and as slow, as what is.
  int run_baseline() {
    std::vector<TrialSpec> specs(a_.baseline, TrialSpec{jumble_, "", a_.timeout * 10, 0});
    Baseline& b = baseline_;
    result_.interrupted = !trials_.run(specs, [&](const TrialSpec&, Trial& t) {
      b.add(t);
      bar_.show("baseline", b.runs(), specs.size(), 0);
      return true;
    });
    bar_.clear();
    if (!trials_.failure().empty()) return complain(kExitFailed, trials_.failure());
    if (b.runs() == 0) return kExitOk;  // interrupted
    if (const auto broken = b.broken()) {
      return complain(kExitFailed,
                      fmt::format("{} goes wrong with nothing jumbled: {}; mend that first",
                                  a_.command[0], *broken));
    }
    result_.baseline_runs = b.runs();
    result_.baseline_seconds = b.slowest();
    result_.baseline_cpu = b.mean_cpu();
    result_.timeout = a_.timeout > 0 ? a_.timeout : std::max(2.0, 10 * b.slowest());
    result_.remarks = b.remarks();
    for (const std::string& line : result_.remarks) {
      fmt::print(stderr, "steward: {}: {}\n", a_.command[0], line);
    }
    return kExitOk;
  }

  std::string config(const Variable& v, jumble::Heuristic h, std::uint64_t seed) const {
    std::string text = fmt::format("seed {}\nheuristic {}\nunit {}\n", seed, name(h), a_.width);
    if (v.all_atomics) text += "atomics all\n";
    for (const std::uint32_t hash : v.variables) text += fmt::format("variable {:x}\n", hash);
    for (const std::uint32_t hash : v.lines) text += fmt::format("line {:x}\n", hash);
    for (const std::string& i : a_.indices) text += fmt::format("index {}\n", i);
    return text;
  }

  std::vector<jumble::Heuristic> heuristics() const {
    std::vector<jumble::Heuristic> out;
    for (const std::string& one : a_.heuristics) out.push_back(*heuristic_named(one));
    if (out.empty()) out.assign(std::begin(kAdversarial), std::end(kAdversarial));
    return out;
  }

  void classify(Variable variable) {
    VariableResult& v = result_.variables.emplace_back();
    v.variable = std::move(variable);
    v.model = a_.width < 8 ? "torn" : v.variable.all_atomics ? "c++" : "java";
    if (!v.variable.problem.empty()) return;
    const std::vector<jumble::Heuristic> all = heuristics();
    for (const jumble::Heuristic h : all) v.heuristics.push_back({h, 0, 0, 0, 0});
    std::vector<TrialSpec> specs;
    for (unsigned i = 0; specs.size() < a_.runs; ++i) {
      for (std::size_t h = 0; h < all.size() && specs.size() < a_.runs; ++h) {
        specs.push_back({jumble_, config(v.variable, all[h], a_.seed + i), result_.timeout,
                         i * all.size() + h});
      }
    }
    std::optional<Witness> hang;
    std::vector<std::uint64_t> hangs(all.size());
    std::size_t done = 0;
    result_.interrupted = !trials_.run(specs, [&](const TrialSpec& spec, Trial& t) {
      HeuristicResult& h = v.heuristics[spec.tag % all.size()];
      ++h.runs;
      h.seconds += t.seconds;
      h.cpu += t.cpu;
      add_counts(v, t);
      if (const std::optional<Harm> harm = judge(t)) {
        ++h.harmful;
        const bool hung = harm->kind == HarmKind::Hang;
        if (hung) ++hangs[spec.tag % all.size()];
        std::optional<Witness>& to = hung ? hang : v.witness;
        if (!to) {
          to = Witness{a_.seed + spec.tag / all.size(), h.heuristic, *harm, 0, 0, evidence(t), ""};
        }
      }
      bar_.show(v.variable.name, ++done, specs.size(), v.harmful());
      return true;
    });
    bar_.clear();
    if (v.witness) {
      confirm(v, *v.witness, result_.timeout);
    } else if (hang) {
      // Slowness is not a hang: it must happen again, with more time.
      confirm(v, *hang, 3 * result_.timeout);
      if (hang->replayed != 0) {
        v.witness = std::move(hang);
      } else {
        for (std::size_t h = 0; h < all.size(); ++h) {
          v.heuristics[h].harmful -= hangs[h];
          v.unconfirmed_hangs += hangs[h];
        }
      }
    }
    v.verdict = v.witness        ? Classification::Destructive
                : v.choices != 0 ? Classification::NoHarmSeen
                                 : Classification::NotExercised;
  }

  std::optional<Harm> judge(Trial& t) const {
    if (a_.no_output) t.output.clear();
    const auto harm = baseline_.judge(t);
    if (harm && a_.no_output && harm->kind == HarmKind::Output) return std::nullopt;
    return harm;
  }

  void confirm(VariableResult& v, Witness& w, double timeout) {
    w.command = replay_command(v.variable, w);
    if (result_.interrupted) return;
    constexpr unsigned kReplays = 4;
    const std::vector<TrialSpec> specs(
        kReplays, TrialSpec{jumble_, config(v.variable, w.heuristic, w.seed), timeout, 0});
    result_.interrupted = !trials_.run(specs, [&](const TrialSpec&, Trial& t) {
      ++w.replays;
      if (judge(t)) ++w.replayed;
      bar_.show(v.variable.name + ", again", w.replays, kReplays, w.replayed);
      return true;
    });
    bar_.clear();
  }

  std::string replay_command(const Variable& v, const Witness& w) const {
    std::vector<std::string> words{"steward",     "classify",
                                   "--replay",    std::to_string(w.seed),
                                   "--heuristic", name(w.heuristic)};
    if (a_.width != 8) {
      words.insert(words.end(), {"--atomic-width", std::to_string(a_.width)});
    }
    if (v.all_atomics) words.emplace_back("--atomics");
    if (!a_.variables.empty() || !a_.sites.empty()) {
      for (const std::string& one : a_.variables) {
        if (one == v.name || a_.together) words.insert(words.end(), {"--variable", one});
      }
      for (const std::string& one : a_.sites) {
        if (one == v.name || a_.together) words.insert(words.end(), {"--site", one});
      }
    } else if (!sites_.named(v.name).empty()) {
      words.insert(words.end(), {"--variable", v.name});
    } else {
      for (const std::string& place : v.places) words.insert(words.end(), {"--site", place});
    }
    for (const std::string& i : a_.indices) words.insert(words.end(), {"--array-index", i});
    words.emplace_back("--");
    words.insert(words.end(), a_.command.begin(), a_.command.end());
    return quoted(words);
  }

  static void add_counts(VariableResult& v, const Trial& t) {
    using jumble::Rule;
    for (const rt::jumble::Results& r : t.jumbled) {
      v.locations += r.locations;
      v.reads += r.rules[Rule::ReadOne] + r.rules[Rule::ReadChoice] + r.rules[Rule::Load];
      v.choices += r.rules[Rule::ReadChoice] + r.rules[Rule::LoadChoice];
      v.stale += r.stale;
      v.torn += r.rules[Rule::ReadTorn];
      v.unseen += r.unseen;
      v.writes += r.rules[Rule::Write] + r.rules[Rule::Store] + r.rules[Rule::Modify];
      v.largest_uncompressed = std::max(v.largest_uncompressed, r.largest_uncompressed);
      v.largest = std::max(v.largest, r.largest);
      v.gc1 += r.rules[Rule::Gc1];
      v.gc2 += r.rules[Rule::Gc2];
      v.removed += r.rules[Rule::RemoveOldest];
      if (r.rules[Rule::Load] + r.rules[Rule::Store] != 0) v.model = "c++";
    }
  }

  report::Stack named_stack(const report::Modules& modules, const rt::jumble::StackCopy& s) {
    report::Namer namer(*symbolizer_);
    report::Stack stack = namer.stack(modules, report::RawStack(s.pcs, s.pcs + s.size));
    report::trim(stack);
    return stack;
  }

  StaleEvidence evidence_of(const rt::jumble::StaleRead& s, const report::Modules& modules) {
    return {s.given,
            s.latest,
            s.count,
            s.size,
            s.read.thread,
            s.candidates,
            named_stack(modules, s.read),
            named_stack(modules, s.written),
            named_stack(modules, s.overwritten)};
  }

  std::optional<StaleEvidence> evidence(const Trial& t) {
    for (const rt::jumble::Results& r : t.jumbled) {
      if (r.distinct == 0) continue;
      const auto last = (r.distinct - 1) % rt::jumble::Results::kKept;
      return evidence_of(r.last[last], modules_of(t.records));
    }
    return std::nullopt;
  }

  int replay(const std::vector<Variable>& variables) {
    if (variables.empty()) return usage_error("--replay needs --variable, --site or --atomics");
    const Variable& v = variables.front();
    const Trial t = trials_.attached({jumble_, config(v, heuristics().front(), *a_.replay), 0, 0});
    if (!trials_.failure().empty()) return complain(kExitFailed, trials_.failure());
    VariableResult counts;
    add_counts(counts, t);
    const std::string end = t.signal ? fmt::format("killed by signal {}", *t.signal)
                                     : fmt::format("exit code {}", t.exit_code.value_or(0));
    fmt::print(stderr, "steward: {}; {} of {} reads had a choice, {} were given a stale value\n",
               end, counts.choices, counts.reads, counts.stale);
    const report::Modules modules = modules_of(t.records);
    for (const rt::jumble::Results& r : t.jumbled) {
      const std::uint64_t kept = std::min<std::uint64_t>(r.distinct, rt::jumble::Results::kKept);
      for (std::uint64_t i = r.distinct - kept; i < r.distinct; ++i) {
        const StaleEvidence s = evidence_of(r.last[i % rt::jumble::Results::kKept], modules);
        const report::Frame* f = s.read.empty() ? nullptr : &s.read.front();
        fmt::print(stderr, "  T{} read {:#x} (latest {:#x}, {} times) at {}\n", s.thread, s.given,
                   s.latest, s.count,
                   f == nullptr ? "?" : fmt::format("{}:{}:{}", f->file, f->line, f->column));
      }
    }
    return t.signal ? 128 + *t.signal : t.exit_code.value_or(0);
  }

  bool write_json() {
    if (a_.json.empty()) return true;
    const std::string text = classify_json(result_);
    if (a_.json == "-") {
      fmt::print("{}", text);
      return true;
    }
    std::ofstream out(a_.json);
    out << text;
    out.flush();
    if (out) return true;
    complain(0, fmt::format("{} cannot be written", a_.json));
    return false;
  }

  int report() {
    const bool color =
        !a_.no_color && is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    if (a_.json != "-") fmt::print("{}", classify_text(result_, color, a_.stats));
    if (!write_json()) return kExitFailed;
    if (!a_.annotate.empty()) {
      const std::string failed = annotate_report(a_.reports, a_.annotate, result_);
      if (!failed.empty()) return complain(kExitFailed, failed);
    }
    if (result_.interrupted) return kExitInterrupted;
    return result_.any_destructive() ? kExitRaces : kExitOk;
  }

  const Arguments& a_;
  std::string detector_, jumble_;
  std::unique_ptr<report::Symbolizer> symbolizer_;
  std::string path_;
  Trials trials_;
  SiteTable sites_;
  Baseline baseline_;
  ClassifyResult result_;
  Bar bar_;
};

}  // namespace

void add_classify(CLI::App& app, int&) {
  // For the list of commands, the manual and completion; classify_main parses.
  static Arguments unused;
  CLI::App* command = app.add_subcommand("classify", kHelp);
  add_options(*command, unused);
  command->add_option("PROGRAM", unused.command, "the program and its arguments");
  command->footer(kFooter);
}

int classify_main(int argc, char** argv) {
  Arguments a;
  ProgramCommand words("classify", kHelp, kFooter);
  add_options(words.app(), a);
  if (const auto code = words.parse(argc, argv, a.command)) return *code;
  if (a.command.empty()) return usage_error("which program?");
  for (const std::string& one : a.heuristics) {
    if (!heuristic_named(one)) return usage_error(fmt::format("there is no heuristic '{}'", one));
  }
  if (a.replay && a.heuristics.size() != 1) return usage_error("--replay needs one --heuristic");
  const Checked checked = check_program(a.command[0], false);
  if (checked.refusal) return complain(checked.refusal->exit_code, checked.refusal->line);
  RunFolder folder;
  if (const std::string failed = folder.make(); !failed.empty()) {
    return complain(kExitFailed, failed);
  }
  return Classifier(a, checked.path, folder.path()).run();
}

}  // namespace steward::cli
