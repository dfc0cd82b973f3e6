#include "cli/doctor.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/doctor_checks.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(Check this machine, and programs, and say what to do.

Looks at the compiler, the plugin, the runtime libraries, limits of the system; builds and runs a
small racy program; and for each PROGRAM says whether it is instrumented, has debug information,
and which of its libraries are not instrumented. Exit code: 0 fine, 1 something will not work.)";

struct Arguments {
  std::vector<std::string> programs;
  bool no_trial = false;
  std::string color = "auto";
};

std::string line(const Finding& f, bool color) {
  const char* mark = f.health == Health::Good       ? "ok"
                     : f.health == Health::Doubtful ? "look"
                                                    : "BAD";
  const char* code = f.health == Health::Good       ? "\x1b[32m"
                     : f.health == Health::Doubtful ? "\x1b[33m"
                                                    : "\x1b[1;31m";
  std::string out = fmt::format("  {}{:<5}{} {:<14} {}\n", color ? code : "", mark,
                                color ? "\x1b[0m" : "", f.what, f.saw);
  if (!f.advice.empty()) out += fmt::format("{:23}-> {}\n", "", f.advice);
  return out;
}

int examine_all(const Arguments& a) {
  const bool color = wants_color(*color_named(a.color), STDOUT_FILENO);
  std::size_t bad = 0;
  std::size_t doubtful = 0;
  const auto show = [&](const std::string& title, const Findings& findings) {
    put(title + "\n");
    for (const Finding& f : findings) {
      put(line(f, color));
      bad += f.health == Health::Bad ? 1 : 0;
      doubtful += f.health == Health::Doubtful ? 1 : 0;
    }
  };
  show("Steward " STEWARD_VERSION, check_installation());
  show("This machine", check_system());
  if (!a.no_trial) show("All together", check_by_trying());
  for (const std::string& program : a.programs) show(program, check_binary(program));
  put(bad != 0        ? fmt::format("{} must be mended: see BAD\n",
                             bad == 1 ? "1 thing" : fmt::format("{} things", bad))
             : doubtful != 0 ? "All works; what is marked 'look' could be better\n"
                      : "All is well\n");
  return bad != 0 ? kExitFailed : kExitOk;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("doctor", kHelp);
  command->add_option("PROGRAM", a->programs, "programs to look at");
  command->add_flag("--no-trial", a->no_trial, "do not build and run a program");
  command->add_option("--color", a->color, "auto (default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command->callback([a, &exit_code] { exit_code = examine_all(*a); });
}

}  // namespace steward::cli
