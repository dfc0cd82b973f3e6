#include "cli/classify_judge.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "cli/run_target.h"

namespace steward::cli {

namespace {

std::string end_text(const Trial& t) {
  if (t.timed_out) return "no end";
  if (t.signal) return signal_name(*t.signal);
  return fmt::format("exit code {}", t.exit_code.value_or(0));
}

// The line that says why: an assertion's, an exception's, a sanitizer's; else the last.
std::string reason(const std::string& error) {
  std::string last, telling;
  std::size_t at = 0;
  while (at < error.size()) {
    const std::size_t end = std::min(error.find('\n', at), error.size());
    const std::string line = error.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    last = line;
    for (const char* word : {"Assertion", "assertion", "terminate called",
                             "what():", "ERROR:", "runtime error", "panic", "fatal"}) {
      if (telling.empty() && line.find(word) != std::string::npos) telling = line;
    }
  }
  std::string text = telling.empty() ? last : telling;
  if (text.size() > 160) text = text.substr(0, 157) + "...";
  return text;
}

// The first line that differs.
std::string difference(const std::string& expected, const std::string& got) {
  auto line_at = [](const std::string& s, std::size_t at) {
    const std::size_t begin = s.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t from = begin == std::string::npos || at == 0 ? 0 : begin + 1;
    std::string line = s.substr(from, s.find('\n', from) - from);
    if (line.size() > 60) line = line.substr(0, 57) + "...";
    return line;
  };
  const std::size_t n = std::min(expected.size(), got.size());
  std::size_t at = 0;
  while (at < n && expected[at] == got[at]) ++at;
  return fmt::format("\"{}\" instead of \"{}\"", line_at(got, at), line_at(expected, at));
}

}  // namespace

void Baseline::add(const Trial& t) {
  slowest_ = std::max(slowest_, t.seconds);
  cpu_ += t.cpu;
  if (!trials_.empty()) {
    const Trial& first = trials_.front();
    same_end_ = same_end_ && first.exit_code == t.exit_code && first.signal == t.signal &&
                first.timed_out == t.timed_out;
    same_output_ = same_output_ && first.output == t.output;
    for (const auto& [name, text] : first.files) {
      const auto it = t.files.find(name);
      const bool same = it != t.files.end() && it->second == text;
      if (!same && std::find(changing_files_.begin(), changing_files_.end(), name) ==
                       changing_files_.end()) {
        changing_files_.push_back(name);
      }
    }
  }
  trials_.push_back(t);
}

std::vector<std::string> Baseline::remarks() const {
  std::vector<std::string> out;
  if (!same_end_) {
    out.emplace_back("it does not always end in the same way: its exit status is not compared");
  }
  if (!same_output_) {
    out.emplace_back("its standard output is not always the same: it is not compared");
  }
  for (const std::string& file : changing_files_) {
    out.push_back(fmt::format("{} is not always the same: it is not compared", file));
  }
  return out;
}

std::optional<std::string> Baseline::broken() const {
  for (const Trial& t : trials_) {
    if (t.timed_out) return "it does not end within the time limit";
    if (t.signal) {
      return fmt::format("it was killed by {}{}", signal_name(*t.signal),
                         t.error.empty() ? "" : fmt::format(" (\"{}\")", reason(t.error)));
    }
    if (t.check_passed == false) return "--check fails";
  }
  return std::nullopt;
}

std::optional<Harm> Baseline::judge(const Trial& t) const {
  const Trial& first = trials_.front();
  const std::string why = reason(t.error);
  const std::string said = why.empty() ? "" : fmt::format(" (\"{}\")", why);
  if (t.timed_out)
    return Harm{HarmKind::Hang, fmt::format("hang: no end after {:.1f} s", t.seconds)};
  if (t.signal) {
    const bool abort = *t.signal == SIGABRT;
    return Harm{abort ? HarmKind::Abort : HarmKind::Crash,
                fmt::format("{}: {}{}", abort ? "abort" : "crash", signal_name(*t.signal), said)};
  }
  if (same_end_ && t.exit_code != first.exit_code) {
    return Harm{HarmKind::ExitCode,
                fmt::format("{} instead of {}{}", end_text(t), end_text(first), said)};
  }
  if (t.check_passed == false) return Harm{HarmKind::Check, "--check fails"};
  if (same_output_ && t.output != first.output) {
    return Harm{HarmKind::Output, "output: " + difference(first.output, t.output)};
  }
  for (const auto& [name, text] : first.files) {
    const auto it = t.files.find(name);
    if (std::find(changing_files_.begin(), changing_files_.end(), name) != changing_files_.end()) {
      continue;
    }
    if (it == t.files.end() || it->second != text) {
      return Harm{HarmKind::File, fmt::format("{} differs", name)};
    }
  }
  return std::nullopt;
}

}  // namespace steward::cli
