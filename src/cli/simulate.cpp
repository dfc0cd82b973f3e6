#include "cli/simulate.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/simulate_figures.h"
#include "cli/simulate_pass.h"
#include "cli/simulate_result.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(Simulate RADISH, race detection in hardware, on traces.

Runs each TRACE, text or binary, on three simulated multiprocessors: without detection, with the
FastTrack algorithm in software, and with RADISH; and says what detection costs and where it is
done. The defaults are the machine of the RADISH paper. Exit code: 0 no race, 66 races, 1 a trace
that is broken, cut short or infeasible (what was simulated until then is printed), 2 wrong usage
or an impossible machine.)";

constexpr const char* kFooter =
    "A parameter is set by --set KEY=VALUE or in a file of --config, as\n"
    "  [l3]\n"
    "  size = \"32M\"\n"
    "and flags go before --set, --set before the file. See docs/simulate.md.";

struct Options {
  std::vector<std::string> traces;
  std::string config_file;
  std::vector<std::string> settings;
  std::vector<std::pair<std::string, std::string>> flags;  // keys with their values
  std::string machines = "none,fasttrack,radish";
  std::vector<std::string> sweeps;
  std::string figures;
  std::string format = "text";
  std::uint64_t max_races = 10;
  bool lenient = false;
};

void complain(const std::string& line) {
  fmt::print(stderr, "steward simulate: {}\n", line);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

using Wrong = std::optional<std::string>;

Wrong read_file(sim::Config& config, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return fmt::format("{}: {}", path, std::strerror(errno));
  return sim::read_config(config, path, text);
}

Wrong read_machines(const std::string& list, std::vector<sim::Kind>& out) {
  for (const std::string& word : split(list)) {
    bool known = false;
    for (const sim::Kind k : {sim::Kind::None, sim::Kind::FastTrack, sim::Kind::Radish}) {
      if (word != name(k)) continue;
      out.push_back(k);
      known = true;
    }
    if (!known)
      return fmt::format("--machines: expected none, fasttrack or radish, found '{}'", word);
  }
  return out.empty() ? Wrong("--machines: no machine") : std::nullopt;
}

// Every value is tried now, so that no hour of simulation ends in a complaint.
Wrong read_sweep(const std::string& text, const sim::Config& base, std::vector<Sweep>& out) {
  const std::size_t equals = text.find('=');
  Sweep s{text.substr(0, equals), {}};
  if (equals != std::string::npos) s.values = split(text.substr(equals + 1));
  if (s.values.empty())
    return fmt::format("--sweep: expected KEY=VALUE,VALUE,..., found '{}'", text);
  for (const std::string& value : s.values) {
    sim::Config config = base;
    if (auto wrong = sim::set(config, s.key, value)) return wrong;
    if (auto wrong = sim::check(config)) return wrong;
  }
  out.push_back(std::move(s));
  return std::nullopt;
}

Wrong make_plan(const Options& o, SimulatePlan& plan) {
  if (!o.config_file.empty()) {
    if (auto wrong = read_file(plan.config, o.config_file)) return wrong;
  }
  for (const std::string& setting : o.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return fmt::format("--set: expected KEY=VALUE, found '{}'", setting);
    }
    if (auto wrong = sim::set(plan.config, setting.substr(0, equals), setting.substr(equals + 1))) {
      return wrong;
    }
  }
  for (const auto& [key, value] : o.flags) {
    if (auto wrong = sim::set(plan.config, key, value)) return wrong;
  }
  if (auto wrong = sim::check(plan.config)) return wrong;
  if (auto wrong = read_machines(o.machines, plan.machines)) return wrong;
  for (const std::string& s : o.sweeps) {
    if (auto wrong = read_sweep(s, plan.config, plan.sweeps)) return wrong;
  }
  if (!o.figures.empty()) {
    if (plan.machines.size() < 3) return "--figures: needs all three machines";
    for (const Sweep& s : figure_sweeps()) {
      std::string text = s.key + "=";
      for (const std::string& v : s.values) text += v + ",";
      if (auto wrong = read_sweep(text, plan.config, plan.sweeps)) return wrong;
    }
  }
  if (!plan.sweeps.empty()) {
    for (const std::string& trace : o.traces) {
      if (trace == "-") return "a sweep reads the trace several times: give a file, not -";
    }
  }
  plan.max_races = o.max_races;
  plan.lenient = o.lenient;
  return std::nullopt;
}

int exit_code_of(const std::vector<TraceRun>& runs) {
  bool races = false;
  for (const TraceRun& r : runs) {
    if (r.partial || r.unreadable) return kExitFailed;
    for (const MachineRun& m : r.machines) races = races || m.counts.racy_accesses != 0;
  }
  return races ? kExitRaces : kExitOk;
}

int simulate(const Options& o) {
  SimulatePlan plan;
  if (const Wrong wrong = make_plan(o, plan)) {
    complain(*wrong);
    return kExitUsage;
  }
  std::vector<TraceRun> runs;
  bool any = false;
  for (const std::string& trace : o.traces) {
    Progress progress;
    runs.push_back(simulate_trace(trace, plan, progress));
    progress.clear();
    const TraceRun& r = runs.back();
    any = any || !r.unreadable;
    if (r.unreadable) complain(*r.unreadable);
    if (r.partial) {
      complain(*r.partial);
      complain(fmt::format("the result is partial: {} before this place {} simulated",
                           counted(r.events, "event"), r.events == 1 ? "was" : "were"));
    }
  }
  int code = exit_code_of(runs);
  if (any) {
    put(o.format == "json"  ? simulate_json(runs, plan, code)
        : o.format == "csv" ? simulate_csv(runs)
                            : simulate_text(runs, plan));
  }
  if (any && !o.figures.empty()) {
    if (const Wrong wrong = write_figures(o.figures, runs)) {
      complain(*wrong);
      code = kExitFailed;
    }
  }
  return code;
}

std::string parameters_text() {
  std::string text = "Parameters of 'steward simulate' and their defaults:\n\n";
  for (const sim::Setting& s : sim::settings(sim::Config{})) {
    text += fmt::format("  {:<26} {:>8}  {}\n", s.key, s.value, s.help);
  }
  return text;
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("simulate", kHelp);
  command->add_option("TRACE", o->traces, "traces to simulate, or - for standard input")
      ->required();
  command->add_option("--config", o->config_file, "a TOML file of parameters")->type_name("FILE");
  command->add_option("--set", o->settings, "one parameter, as l3.size=32M; may be repeated")
      ->take_all()
      ->expected(1)
      ->type_name("KEY=VALUE");
  const auto flag = [&](const char* option, const char* key, const char* help, const char* unit) {
    command
        ->add_option_function<std::string>(
            option, [o, key](const std::string& v) { o->flags.emplace_back(key, v); }, help)
        ->type_name(unit);
  };
  flag("--cores", "machine.cores", "cores that run the program", "N");
  flag("--async-cores", "machine.async_cores", "spare cores for software checks", "N");
  flag("--l1", "l1.size", "size of each L1", "SIZE");
  flag("--l2", "l2.size", "size of each L2", "SIZE");
  flag("--l3", "l3.size", "size of the shared L3", "SIZE");
  command
      ->add_option("--machines", o->machines,
                   "which to simulate, with commas between (default none,fasttrack,radish)")
      ->type_name("LIST");
  command
      ->add_option("--sweep", o->sweeps,
                   "also RADISH with each of several values, as l3.size=4M,64M; may be repeated")
      ->take_all()
      ->expected(1)
      ->type_name("KEY=LIST");
  command
      ->add_option("--figures", o->figures,
                   "write the paper's Figures 7 to 11 as SVG; runs the sweeps they need")
      ->type_name("FOLDER");
  command->add_option("--format", o->format, "text, json or csv (default text)")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->type_name("FORMAT");
  command->add_option("--max-races", o->max_races, "list at most N racy accesses of each trace")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--lenient", o->lenient, "go on past events that cannot have happened");
  command->add_flag_callback(
      "--parameters", [] { throw CLI::CallForVersion(parameters_text(), kExitOk); },
      "list every parameter with its default");
  command->footer(kFooter);
  command->callback([o, &exit_code] { exit_code = simulate(*o); });
}

}  // namespace steward::cli
