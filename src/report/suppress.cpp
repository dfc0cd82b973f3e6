#include "report/suppress.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "report/frames.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

using Kind = Suppression::Kind;

struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr KindName kKinds[] = {
    {"race", Kind::Race},
    {"race_top", Kind::RaceTop},
    {"thread", Kind::Thread},
    {"mutex", Kind::Mutex},
    {"signal", Kind::Signal},
    {"deadlock", Kind::Deadlock},
    {"called_from_lib", Kind::CalledFromLib},
};

std::optional<Kind> kind_named(std::string_view name) {
  for (const KindName& k : kKinds) {
    if (k.name == name) return k.kind;
  }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t start = text.find_first_not_of(kBlank);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kBlank) - start + 1);
}

// With blanks around it: `operator->` is a name.
constexpr std::string_view kArrow = " -> ";

std::vector<std::string> chain_of(std::string_view text) {
  std::vector<std::string> chain;
  while (true) {
    const std::size_t arrow = text.find(kArrow);
    chain.emplace_back(trimmed(text.substr(0, arrow)));
    if (arrow == std::string_view::npos) return chain;
    text.remove_prefix(arrow + kArrow.size());
  }
}

bool frame_matches(const std::string& pattern, const Frame& frame) {
  // By its name, and by the name a report shows.
  return pattern_matches(pattern, frame.function) ||
         (!frame.function.empty() && pattern_matches(pattern, readable_function(frame))) ||
         pattern_matches(pattern, frame.file) || pattern_matches(pattern, frame.module);
}

// Outermost first, gaps allowed. Taking the first frame that fits leaves the most for the rest.
bool chain_matches(const std::vector<std::string>& chain, const Stack& stack) {
  std::size_t next = 0;
  for (auto frame = stack.rbegin(); frame != stack.rend() && next < chain.size(); ++frame) {
    if (frame_matches(chain[next], *frame)) ++next;
  }
  return next == chain.size();
}

bool rule_matches(const Suppression& rule, const Race& race) {
  const auto any_access = [&](auto test) {
    return std::any_of(race.accesses.begin(), race.accesses.end(), [&](const Access& access) {
      return !access.stack.empty() && test(access.stack);
    });
  };
  switch (rule.kind) {
    case Kind::Race:
      if (any_access([&](const Stack& s) { return chain_matches(rule.chain, s); })) return true;
      return rule.chain.size() == 1 && race.memory.kind == MemoryKind::Global &&
             (pattern_matches(rule.chain[0], race.memory.symbol) ||
              pattern_matches(rule.chain[0], race.memory.module));
    case Kind::RaceTop:
      return any_access([&](const Stack& s) { return frame_matches(rule.chain[0], s[0]); });
    case Kind::CalledFromLib:
      return any_access(
          [&](const Stack& s) { return pattern_matches(rule.chain[0], s[0].module); });
    case Kind::Thread:
    case Kind::Mutex:
    case Kind::Signal:
    case Kind::Deadlock:
      return false;
  }
  return false;
}

template <class Test>
bool count_first(std::vector<Suppression>& rules, Test test) {
  const auto it = std::find_if(rules.begin(), rules.end(), test);
  if (it == rules.end()) return false;
  ++it->hits;
  return true;
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view text) {
  if (text.empty()) return false;
  bool bound = pattern.starts_with('^');  // the next piece starts where the text does
  if (bound) pattern.remove_prefix(1);
  const std::size_t dollar = pattern.find('$');
  const bool to_end = dollar != std::string_view::npos;
  pattern = pattern.substr(0, dollar);
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (last && to_end) {
      return bound ? text == piece : text.ends_with(piece);
    }
    const std::size_t found = text.find(piece);
    if (found == std::string_view::npos || (bound && found != 0)) return false;
    if (last) return true;
    text.remove_prefix(found + piece.size());
    pattern.remove_prefix(star + 1);
    bound = false;
  }
}

std::vector<std::string> Suppressions::parse(std::string_view text, const std::string& file) {
  std::vector<std::string> complaints;
  const auto complain = [&](unsigned line, const std::string& what) {
    complaints.push_back(fmt::format("{}:{}: {}", file, line, what));
  };
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    const auto kind =
        colon == std::string_view::npos ? std::nullopt : kind_named(line.substr(0, colon));
    if (!kind) {
      complain(number, fmt::format("'{}' is no suppression; one starts with race:, race_top:, "
                                   "thread:, mutex:, signal:, deadlock: or called_from_lib:",
                                   printable(line)));
      continue;
    }
    const auto chain = chain_of(trimmed(line.substr(colon + 1)));
    if (std::any_of(chain.begin(), chain.end(), [](const auto& p) { return p.empty(); })) {
      complain(number, fmt::format("'{}' has no pattern", printable(line)));
      continue;
    }
    if (chain.size() > 1 && *kind != Kind::Race) {
      complain(number, "only race: takes several frames");
      continue;
    }
    rules_.push_back({*kind, chain, std::string(line), file, number, 0});
  }
  return complaints;
}

bool Suppressions::matches(const Race& race) {
  return count_first(rules_, [&](const Suppression& r) { return rule_matches(r, race); });
}

bool Suppressions::matches(const Message& message) {
  const auto kind = kind_named(message.kind);
  return kind && count_first(rules_, [&](const Suppression& rule) {
           return rule.kind == *kind && chain_matches(rule.chain, message.stack);
         });
}

}  // namespace steward::report
