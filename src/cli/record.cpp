#include "cli/record.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/exit_code.h"
#include "cli/numbers.h"
#include "cli/openmp.h"
#include "cli/program_words.h"
#include "cli/recorder.h"
#include "cli/run_check.h"
#include "cli/run_folder.h"
#include "cli/run_target.h"
#include "cli/runtime_library.h"
#include "cli/target_environment.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp =
    R"(Record the execution of a program as a trace.

The program is built with 'steward c++ --record', which also counts instructions, or with 'steward
c++' or any compiler's -fsanitize=thread. 'steward analyze', 'simulate', 'audit' and 'convert' read
the trace.)";

constexpr const char* kFooter = R"(
Exit codes: the program's own; 128+N if it was killed by signal N; 126 or 127 if it cannot be run; 1
if it cannot be recorded or the trace cannot be written; 2 wrong usage.)";

constexpr const char* kTool = "record";

void add_options(CLI::App& app, RecordRequest& a) {
  app.add_option("-o,--output", a.output, "the trace (default: the program's name and .trace)");
  app.add_option("--limit", a.limit,
                 "end the trace at this size, as 500M or 4G (default: 4G); the program goes on")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  app.add_flag("-q,--quiet", a.quiet, "print no summary");
  app.add_flag("--force", a.force, "run a program that was not built with -fsanitize=thread");
}

int complain(int code, const std::string& line) {
  fmt::print(stderr, "steward record: {}\n", line);
  return code;
}

int usage_error(const std::string& line) {
  return cli::usage_error("steward record", line);
}

void say(const std::string& line) {
  fmt::print(stderr, "steward: {}\n", line);
}

// Does it live? Not one that has ended and that nobody has waited for.
bool lives(std::uint32_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string stat;
  if (process == 0 || !std::getline(in, stat)) return false;
  const std::size_t name_end = stat.rfind(')');  // the name may hold anything
  const char state = name_end + 2 < stat.size() ? stat[name_end + 2] : 'X';
  return state != 'Z' && state != 'X';
}

// A process that outlives the one we started (a shell's child, a daemon) is recorded to its end.
void wait_for(std::uint32_t process) {
  while (lives(process)) ::usleep(20'000);
}

void summarise(const RecordRequest& a, const Recorded& r, rt::trace::Channel& channel) {
  const double per =
      r.events == 0 ? 0 : static_cast<double>(r.bytes) / static_cast<double>(r.events);
  const auto threads = channel.header.unlaned.load();
  const auto others = channel.header.others.load();
  if (r.hit_limit) {
    say(fmt::format("{}: the trace ends at its limit of {} (--limit); the program went on",
                    a.output, bytes_text(a.limit)));
  }
  if (threads != 0)
    say(fmt::format("{} at a time were too many, and are missing in the trace",
                    counted(threads, "thread")));
  if (a.quiet) return;
  say(fmt::format("{}: {} ({} accesses) in {}, {:.1f} bytes an event", a.output,
                  counted(r.events, "event"), grouped(r.accesses), bytes_text(r.bytes), per));
  if (!r.counts_instructions && r.events != 0) {
    say("the trace has no instruction counts: build with 'steward c++ --record' (clang 19) for "
        "them");
  }
  if (others != 0) {
    say(fmt::format(
        "{} not recorded: a trace is of one process",
        others == 1 ? "1 other process was" : fmt::format("{} other processes were", others)));
  }
}

}  // namespace

RecordOutcome record(const RecordRequest& a) {
  const auto refused = [](int code, const std::string& line) {
    return RecordOutcome{false, complain(code, line)};
  };
  const std::string& program = a.command[0];
  const std::string tool_folder = library_folder(kTool);
  if (tool_folder.empty()) return refused(kExitFailed, no_such_tool(kTool));
  const Checked checked = check_program(program, a.force);
  if (checked.refusal) return refused(checked.refusal->exit_code, checked.refusal->line);
  RunFolder folder;
  if (const std::string failed = folder.make(); !failed.empty()) {
    return refused(kExitFailed, failed);
  }
  RecordChannel channel;
  if (const std::string failed = channel.make(); !failed.empty()) {
    return refused(kExitFailed, failed);
  }
  trace::OpenedSink sink = trace::open_sink(a.output);
  if (!sink.sink) return refused(kExitFailed, sink.error->message);
  const std::string records = folder.path() + "/r";
  Recorder recorder(*channel, std::move(sink.sink), a.limit, records);

  const char* options = std::getenv("STEWARD_OPTIONS");
  auto environment = tool_environment(plain_library_folder(tool_folder, folder.path()), records,
                                      options != nullptr ? options : "");
  environment["STEWARD_TRACE"] = channel.path();
  const OpenMp openmp = look_for_openmp(checked.path);
  tell_order(openmp, environment);
  if (const std::string line = say(openmp); !line.empty()) {
    fmt::print(stderr, "steward record: {}\n", line);
  }
  TargetEnd end;
  {
    Target target;
    if (const int error = target.start(checked.path, a.command, environment)) {
      return refused(error == ENOENT ? kExitNotFound : kExitCannotExecute,
                     fmt::format("{}: {}", program, std::strerror(error)));
    }
    recorder.start();  // its threads leave signals to this one
    end = target.wait(folder.path(), [] {});
    wait_for(channel->header.owner.load());
  }
  const Recorded r = recorder.finish();
  int code = end.signal ? 128 + *end.signal : end.exit_code.value_or(0);
  if (end.signal) {
    say(fmt::format("{} was killed by {}{}", program, signal_name(*end.signal),
                    end.core_dumped ? " (core dumped)" : ""));
  }
  if (!r.error.empty()) return refused(code == 0 ? kExitFailed : code, r.error);
  if (channel->header.owner.load() == 0 && !a.force) {
    say(fmt::format("{}: {}; nothing was recorded", program,
                    checked.is_script
                        ? "no program built with -fsanitize=thread was started by it"
                        : "the recorder was never loaded into it (a set-uid program, or one that "
                          "clears LD_PRELOAD?)"));
    return {false, code != 0 ? code : kExitFailed};
  }
  summarise(a, r, *channel);
  return {true, code};
}

void add_record(CLI::App& app, int&) {
  // For the list of commands, the manual and completion; record_main parses.
  static RecordRequest unused;
  CLI::App* command = app.add_subcommand("record", kHelp);
  add_options(*command, unused);
  command->add_option("PROGRAM", unused.command, "the program and its arguments");
  command->footer(kFooter);
}

int record_main(int argc, char** argv) {
  RecordRequest a;
  ProgramCommand words("record", kHelp, kFooter);
  add_options(words.app(), a);
  if (const auto code = words.parse(argc, argv, a.command)) return *code;
  if (a.command.empty()) return usage_error("which program?");
  if (a.output.empty()) {
    a.output = std::filesystem::path(a.command[0]).filename().string() + ".trace";
  }
  return record(a).exit_code;
}

}  // namespace steward::cli
