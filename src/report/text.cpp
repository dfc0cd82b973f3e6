#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kCyan = "\x1b[36m";
constexpr const char* kGreen = "\x1b[1;32m";

constexpr std::size_t kMessageFrames = 7;
constexpr std::ptrdiff_t kScreen = 40;  // lines
constexpr std::size_t kFunctionWidth = 72;
constexpr std::size_t kFunctionColumn = 28;
constexpr std::size_t kSourceWidth = 100;

std::string function_of(const Frame& frame) {
  return shortened(printable(readable_function(frame)), kFunctionWidth);
}

std::string place_of(const Frame& frame) {
  Frame shown = frame;
  shown.file = printable(relative(frame.file));
  std::string place = place_text(shown);
  if (place.empty() && !frame.module.empty() && !frame.function.empty()) {
    place = fmt::format("({}+{:#x})", printable(base_name(frame.module)), frame.offset);
  }
  return place;
}

std::string holding(const Access& access) {
  if (access.locks.empty()) return "";
  std::string out = ", holding";
  const char* separator = " ";
  for (const std::uint32_t id : access.locks) {
    out += fmt::format("{}M{}", separator, id);
    separator = ", ";
  }
  return out;
}

// Two stacks that read the same.
bool same_text(const Stack& a, const Stack& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Frame& x, const Frame& y) {
    return x.function == y.function && x.file == y.file && x.line == y.line &&
           x.module == y.module && (!x.function.empty() || x.offset == y.offset);
  });
}

// Code points before a byte.
std::size_t columns_before(const std::string& text, std::size_t byte) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string TextPrinter::paint(const char* code, std::string text) const {
  return options_.color ? code + text + "\x1b[0m" : text;
}

std::string TextPrinter::headline(const Race& race) const {
  // what it is in red, the rest up to the colon in bold
  const std::string what = what_text(race);
  const std::string memory = memory_text(race);
  const std::string kind = kind_text(race);
  const std::string rest = what.substr(kind.size() + std::string(" on ").size() + memory.size());
  return fmt::format("steward: {} on {}{}; {}\n", paint(kRed, kind), paint(kBold, memory), rest,
                     cause_text(race));
}

std::string TextPrinter::snippet(const Frame& frame) {
  std::string line = source_.line(frame.file, frame.line);
  if (line.empty()) return {};
  std::size_t column = frame.column;  // from 1; 0: not known
  // What is cut off at the left is blank.
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t cut = indent > 2 ? indent - 2 : 0;
  line.erase(0, cut);
  column = column > cut ? column - cut : 0;
  std::string out;
  const std::string number = fmt::format("{:>9}", frame.line);
  const bool caret = column != 0 && column <= std::min(line.size(), kSourceWidth);
  const std::size_t blanks = caret ? columns_before(line, column - 1) : 0;
  if (line.size() > kSourceWidth) {
    std::size_t end = kSourceWidth;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    line = line.substr(0, end) + "...";
  }
  out += fmt::format("{} | {}\n", number, line);
  if (caret) {
    out += fmt::format("{:>9} | {:{}}{}\n", "", "", blanks, paint(kGreen, "^"));
  }
  return out;
}

std::string TextPrinter::frames(const Stack& full, std::size_t limit, bool with_source) {
  const Stack stack = options_.all_frames ? full : without_plumbing(full);
  std::string out;
  const std::size_t n = stack.size();
  if (options_.all_frames || n <= limit + 1) limit = n;
  // The last frame says whose work it is: it stays when the middle goes.
  for (std::size_t i = 0; i < n; ++i) {
    if (limit < n && i == limit - 1) {
      out += fmt::format("    ... {} more\n", n - limit);
      i = n - 1;
    }
    const Frame& f = stack[i];
    const std::string function = function_of(f) + (f.inlined ? " (inlined)" : "");
    out += fmt::format("    #{:<2} {:<{}} {}\n", i, function, kFunctionColumn,
                       paint(kCyan, place_of(f)));
    if (i == 0 && with_source && options_.source) out += snippet(f);
  }
  return out;
}

Stack TextPrinter::programs(const Stack& stack) const {
  return options_.all_frames ? stack : programs_part(stack);
}

std::string TextPrinter::access(const Race& race, std::size_t index) {
  const Access& a = race.accesses[index];
  std::string out =
      paint(kBold, fmt::format("  {}{} of {} at {:#x} by {}{}:", index == 0 ? "" : "earlier ",
                               name(a.kind), bytes_text(a.size), a.address,
                               thread_text(race, a.thread), holding(a))) +
      "\n";
  const bool same =
      index == 1 && !a.stack.empty() && !a.stack_lost && same_text(a.stack, race.accesses[0].stack);
  out += same ? "    the same stack as above\n" : frames(a.stack, limits_.access, true);
  if (a.stack_lost) {
    out += a.stack.empty() ? "    its stack is no longer known (a larger history_size keeps more)\n"
                           : "    ... the rest of the stack is no longer known\n";
  } else if (a.stack.empty()) {
    out += "    no stack\n";
  }
  return out;
}

std::string TextPrinter::memory(const Race& race) {
  if (race.memory.kind == MemoryKind::Unknown) return {};
  const Memory& m = race.memory;
  const std::string where = where_text(race);
  return fmt::format("{}{}\n", paint(kBold, fmt::format("  where: {}", where)),
                     m.stack.empty() ? "" : ":") +
         frames(programs(m.stack), limits_.other, false);
}

std::string TextPrinter::locks(const Race& race) {
  std::string out;
  const std::size_t shown =
      options_.all_frames ? race.locks.size() : std::min(race.locks.size(), limits_.locks);
  for (std::size_t i = 0; i < shown; ++i) {
    const Lock& lock = race.locks[i];
    out += paint(kBold, fmt::format("  {}{}", lock_text(lock),
                                    lock.stack.empty() ? "" : ", first seen:")) +
           "\n" + frames(programs(lock.stack), limits_.other, false);
  }
  if (shown < race.locks.size()) {
    out += fmt::format("  ... {}\n", counted(race.locks.size() - shown, "more lock"));
  }
  return out;
}

std::string TextPrinter::threads(const Race& race) {
  std::string out;
  for (const Access& access : race.accesses) {
    const Thread* t = race.thread(access.thread);
    if (t == nullptr || t->id == 0 || (t->os == 0 && !t->parent && t->stack.empty())) continue;
    if (&access == &race.accesses[1] && access.thread == race.accesses[0].thread) continue;
    std::string line = "  " + thread_text(race, t->id);
    if (t->os != 0) line += fmt::format(" (tid {})", t->os);
    if (t->parent) line += fmt::format(", created by {}", thread_text(race, *t->parent));
    out += paint(kBold, line) + (t->stack.empty() ? "\n" : ":\n") +
           frames(programs(t->stack), limits_.other, false);
  }
  return out;
}

std::string TextPrinter::verdict(const Race& race) const {
  if (!race.verdict) return {};
  const bool bad = race.harm() == Harm::Destructive;
  std::string out =
      fmt::format("  {}\n", paint(bad ? kRed : kBold, "verdict: " + verdict_text(race)));
  const std::vector<std::string>& evidence = race.verdict->evidence;
  for (std::size_t i = 0; i < std::min(evidence.size(), limits_.evidence); ++i) {
    out += fmt::format("    {}\n", printable(evidence[i]));
  }
  if (!race.verdict->replay.empty()) {
    out += fmt::format("    again: {}\n", printable(race.verdict->replay));
  }
  return out;
}

std::string TextPrinter::seen(const Race& race, const Report& of) const {
  std::string line = race.novelty == Novelty::New     ? "new"
                     : race.novelty == Novelty::Known ? "known from the baseline"
                                                      : "";
  for (const std::string& part :
       {seen_text(race, of), of.runs() > 1 ? frequency_text(race) : std::string()}) {
    if (part.empty()) continue;
    if (!line.empty()) line += "; ";
    line += part;
  }
  return line.empty() ? "" : fmt::format("  {}\n", paint(kBold, line));
}

std::string TextPrinter::whole(const Race& race, const Report* of) {
  return headline(race) + verdict(race) + (of != nullptr ? seen(race, *of) : "") + "\n" +
         access(race, 0) + access(race, 1) + discipline_text(race) + memory(race) + locks(race) +
         threads(race) +
         fmt::format("\nSUMMARY: Steward: {} {}\n\n", kind_text(race), summary_place(race));
}

std::string TextPrinter::race(const Race& race, const Report* of) {
  if (race.accesses.size() != 2) return {};
  // As much as fits on a screen: what is farthest from the two accesses goes first.
  std::string out;
  for (const Limits& limits : {Limits{7, 3, 6, 4}, Limits{7, 1, 3, 2}, Limits{4, 1, 2, 1}}) {
    limits_ = limits;
    out = whole(race, of);
    if (options_.all_frames || std::count(out.begin(), out.end(), '\n') <= kScreen) break;
  }
  return out;
}

std::string TextPrinter::message(const Message& message) const {
  std::string out =
      fmt::format("steward: {}: {}\n", message.level.empty() ? "note" : printable(message.level),
                  printable(message.text));
  TextPrinter plain({options_.color, options_.all_frames, false});
  return out + plain.frames(message.stack, kMessageFrames, false);
}

}  // namespace steward::report
