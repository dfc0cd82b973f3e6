#include <fmt/format.h>

#include "cli/classify_result.h"
#include "report/frames.h"
#include "report/source_lines.h"

namespace steward::cli {

namespace {

std::string counted(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

class Text {
 public:
  Text(bool color, bool stats) : color_(color), stats_(stats) {}

  void variable(const VariableResult& v) {
    const char* code = v.verdict == Classification::Destructive ? "\x1b[1;31m" : "\x1b[1m";
    out += fmt::format("{}: {}\n", paint("\x1b[1m", v.variable.name), paint(code, name(v.verdict)));
    if (!v.variable.places.empty()) {
      std::string places;
      for (std::size_t i = 0; i < v.variable.places.size() && i < 6; ++i) {
        places += (i == 0 ? "" : ", ") + v.variable.places[i];
      }
      if (v.variable.places.size() > 6) places += ", ...";
      out += fmt::format("  accessed at {}\n", places);
    }
    switch (v.verdict) {
      case Classification::Destructive:
        destructive(v);
        break;
      case Classification::NoHarmSeen:
        out += fmt::format(
            "  {} ({}), all right; {} of {} reads had a choice, {} were given a "
            "stale value\n",
            counted(v.runs(), "run"), heuristics(v), v.choices, v.reads, v.stale);
        if (v.unconfirmed_hangs != 0) {
          out += fmt::format("  {} took too long, but not again with the same seed\n",
                             counted(v.unconfirmed_hangs, "run"));
        }
        break;
      case Classification::NotExercised:
        out += fmt::format("  {}\n", v.why_not_exercised());
        break;
    }
    if (stats_ && v.runs() != 0) statistics(v);
    out += '\n';
  }

  std::string out;

 private:
  void destructive(const VariableResult& v) {
    const Witness& w = *v.witness;
    out += fmt::format("  {} of {} went wrong (model {})\n", v.harmful(), counted(v.runs(), "run"),
                       v.model);
    for (const HeuristicResult& h : v.heuristics) {
      if (h.runs == 0) continue;
      out += fmt::format("    {:<24} {:>3} of {}\n", name(h.heuristic), h.harmful, h.runs);
    }
    out += fmt::format("  witness: {}\n", w.harm.text);
    if (w.stale) stale(*w.stale);
    out += fmt::format("  again: {}\n    ({} of {} runs with this seed went wrong)\n", w.command,
                       w.replayed, w.replays);
  }

  void stale(const StaleEvidence& s) {
    out += fmt::format("  the last stale read: {} bytes, got {} where the latest value was {}{}\n",
                       s.size, number(s.given), number(s.latest),
                       s.count > 1 ? fmt::format(" ({} times in a row)", s.count) : "");
    out += fmt::format("    read by T{}:\n{}", s.thread, frames(s.read, true));
    out += fmt::format("    did not see the write of {}:\n{}", number(s.latest),
                       frames(s.overwritten, true));
    if (s.written.empty()) {
      out += "    got the initial value\n";
    } else {
      out += fmt::format("    got the value of the write:\n{}", frames(s.written, false));
    }
  }

  static std::string number(std::uint64_t v) {
    return v > 0xffff ? fmt::format("{:#x}", v) : fmt::format("{}", v);
  }

  std::string frames(const report::Stack& whole, bool with_source) {
    std::string text;
    if (whole.empty()) return "      (not known)\n";
    const report::Stack stack = report::without_plumbing(whole);
    for (std::size_t i = 0; i < stack.size() && i < 8; ++i) {
      const report::Frame& f = stack[i];
      text += fmt::format("      #{}  {:<32} {}\n", i,
                          report::shortened(report::function_text(f), 48), report::place_text(f));
      if (i == 0 && with_source && f.line != 0) {
        const std::string& line = lines_.line(f.file, f.line);
        if (!line.empty()) text += fmt::format("       {:>4} | {}\n", f.line, line);
      }
    }
    if (stack.size() > 8) text += "      ...\n";
    return text;
  }

  static std::string heuristics(const VariableResult& v) {
    std::string text;
    for (const HeuristicResult& h : v.heuristics) {
      if (h.runs != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(h.heuristic));
    }
    return text;
  }

  void statistics(const VariableResult& v) {
    const std::uint64_t n = v.runs();
    out += fmt::format(
        "  a run: {:.1f} instances, {:.1f} writes, {:.1f} reads, {:.1f} with a choice, {:.1f} "
        "stale\n",
        per(v.locations, n), per(v.writes, n), per(v.reads, n), per(v.choices, n), per(v.stale, n));
    out += fmt::format(
        "  largest write buffer: {} without compression, {} with (gc1 {}, gc2 {}, remove oldest "
        "{}); writes nobody announced: {}\n",
        v.largest_uncompressed, v.largest, v.gc1, v.gc2, v.removed, v.unseen);
  }
  static double per(std::uint64_t a, std::uint64_t n) {
    return static_cast<double>(a) / static_cast<double>(n);
  }

  std::string paint(const char* code, std::string_view text) const {
    return color_ ? fmt::format("{}{}\x1b[0m", code, text) : std::string(text);
  }

  bool color_, stats_;
  report::SourceLines lines_;
};

}  // namespace

const char* name(Classification c) {
  constexpr const char* kNames[] = {"destructive", "no harm seen", "not exercised"};
  return kNames[static_cast<unsigned>(c)];
}

std::uint64_t VariableResult::runs() const {
  std::uint64_t n = 0;
  for (const HeuristicResult& h : heuristics) n += h.runs;
  return n;
}
std::uint64_t VariableResult::harmful() const {
  std::uint64_t n = 0;
  for (const HeuristicResult& h : heuristics) n += h.harmful;
  return n;
}
bool ClassifyResult::any_destructive() const {
  for (const VariableResult& v : variables) {
    if (v.verdict == Classification::Destructive) return true;
  }
  return false;
}

std::string VariableResult::why_not_exercised() const {
  if (!variable.problem.empty()) return variable.problem;
  if (runs() == 0) return "it was not run";
  if (reads == 0 && locations == 0) {
    return fmt::format("{}, and none accessed it: it may be reached only now and then",
                       counted(runs(), "run"));
  }
  if (reads == 0) return fmt::format("{}; it was written, but never read", counted(runs(), "run"));
  return fmt::format(
      "{}, {} reads, each with one legal value: the racing write came after the reads, or wrote "
      "the "
      "value that was there",
      counted(runs(), "run"), reads);
}

std::string classify_text(const ClassifyResult& r, bool color, bool stats) {
  Text text(color, stats);
  for (const VariableResult& v : r.variables) text.variable(v);
  std::size_t count[3] = {};
  for (const VariableResult& v : r.variables) ++count[static_cast<unsigned>(v.verdict)];
  if (r.interrupted) text.out += "steward: interrupted; what is above is what was known\n";
  text.out += fmt::format("steward: {}: {} destructive, {} no harm seen, {} not exercised\n",
                          counted(r.variables.size(), "variable"), count[0], count[1], count[2]);
  return text.out;
}

}  // namespace steward::cli
