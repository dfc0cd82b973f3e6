// Holds a detector's report against the expectations written in a program's source.
//   check_report SOURCE --json REPORT       the JSON report of `steward run`
//   check_report SOURCE --tsan-log LOG      the text that ThreadSanitizer prints
// Exit code 0 if the report holds exactly the expected pairs of lines, 1 with one line of text if
// not, 2 if something cannot be read. The grammar of the expectations is in ../README.md.
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using LinePair = std::pair<int, int>;  // the two accesses' lines; 0 is an access outside the source

struct Expectation {
  int races = 0;
  std::map<char, std::set<int>> lines;  // label -> the lines that may stand for it
  std::string memory;                   // the kind of memory, if it is to be told
};

std::ifstream open_or_throw(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return in;
}

Expectation read_expectation(const std::string& source) {
  static const std::regex kExpect(R"(^// EXPECT: (race|none)(?: (\d+))?\s*$)");
  static const std::regex kMemory(R"(^// MEMORY: (\w+)\s*$)");
  static const std::regex kLabel(R"(// RACE ([A-Z](?:\|[A-Z])*)\s*$)");
  Expectation expected;
  bool found = false;
  std::ifstream in = open_or_throw(source);
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    std::smatch match;
    if (std::regex_match(text, match, kExpect)) {
      found = true;
      if (match[1] == "race") expected.races = match[2].matched ? std::stoi(match[2]) : 1;
    } else if (std::regex_match(text, match, kMemory)) {
      expected.memory = match[1];
    } else if (std::regex_search(text, match, kLabel)) {
      for (const char c : match[1].str())
        if (c != '|') expected.lines[c].insert(number);
    }
  }
  if (!found) throw std::runtime_error(source + ": no EXPECT line");
  for (int i = 0; i < 2 * expected.races; ++i)
    if (!expected.lines.contains(static_cast<char>('A' + i)))
      throw std::runtime_error(source + ": no line is marked RACE " + static_cast<char>('A' + i));
  if (expected.lines.size() != 2U * static_cast<unsigned>(expected.races))
    throw std::runtime_error(source + ": more RACE labels than EXPECT asks for");
  return expected;
}

// "family/name.c": what a path in debug information must end with.
std::string tail_of(const std::string& path) {
  const auto name = path.rfind('/');
  if (name == std::string::npos) return path;
  const auto family = name == 0 ? std::string::npos : path.rfind('/', name - 1);
  return family == std::string::npos ? path : path.substr(family + 1);
}

bool is_source(const std::string& file, const std::string& source) {
  return !file.empty() && tail_of(file) == tail_of(source);
}

std::vector<LinePair> read_json(const std::string& path, const std::string& source,
                                const std::string& memory) {
  std::vector<LinePair> pairs;
  std::ifstream in = open_or_throw(path);
  const auto report = nlohmann::json::parse(in);
  for (const auto& race : report.at("races")) {
    const auto& accesses = race.at("accesses");
    if (accesses.size() != 2) throw std::runtime_error("a race without two accesses");
    const std::string kind = race.at("memory").value("kind", "");
    if (!memory.empty() && kind != memory)
      throw std::runtime_error("memory told as '" + kind + "', not '" + memory + "'");
    std::vector<int> lines;
    for (const auto& access : accesses) {
      int line = 0;
      for (const auto& frame : access.at("stack")) {
        if (!frame.contains("file") || !frame["file"].is_string()) continue;
        if (!is_source(frame["file"].get<std::string>(), source)) continue;
        line = frame.value("line", 0);
        break;
      }
      lines.push_back(line);
    }
    pairs.emplace_back(lines[0], lines[1]);
  }
  return pairs;
}

// ThreadSanitizer's text: a report runs from its WARNING to its SUMMARY; the first two stacks in it
// are the accesses, each under a heading indented by two. Its findings of other kinds do not count.
std::vector<LinePair> read_tsan_log(const std::string& path, const std::string& source) {
  static const std::regex kHeading(R"(^  \S.*:$)");
  static const std::regex kFrame(R"(^\s+#\d+ .* (\S+?):(\d+)(?::\d+)? \(.*$)");
  std::vector<LinePair> pairs;
  std::ifstream in = open_or_throw(path);
  std::string text;
  bool inside = false;
  std::vector<int> lines;
  while (std::getline(in, text)) {
    std::smatch match;
    if (text.starts_with("WARNING: ThreadSanitizer:")) {
      inside = text.find("race") != std::string::npos ||
               text.find("use-after-free") != std::string::npos;
      lines.clear();
    } else if (inside && text.starts_with("SUMMARY:")) {
      lines.resize(2, 0);
      pairs.emplace_back(lines[0], lines[1]);
      inside = false;
    } else if (inside && std::regex_match(text, kHeading)) {
      lines.push_back(0);
    } else if (inside && !lines.empty() && lines.back() == 0 &&
               std::regex_match(text, match, kFrame) && is_source(match[1], source)) {
      lines.back() = std::stoi(match[2]);
    }
  }
  return pairs;
}

std::string show(const LinePair& pair) {
  std::ostringstream out;
  out << pair.first << '/' << pair.second;
  return out.str();
}

bool matches(const Expectation& expected, int race, const LinePair& pair) {
  const auto& first = expected.lines.at(static_cast<char>('A' + 2 * race));
  const auto& second = expected.lines.at(static_cast<char>('A' + 2 * race + 1));
  return (first.contains(pair.first) && second.contains(pair.second)) ||
         (first.contains(pair.second) && second.contains(pair.first));
}

// Every reported pair is an expected one, and every expected one is reported.
std::string difference(const Expectation& expected, const std::vector<LinePair>& reported) {
  std::string text;
  std::set<int> seen;
  for (const LinePair& pair : reported) {
    bool known = false;
    for (int race = 0; race < expected.races; ++race) {
      if (!matches(expected, race, pair)) continue;
      seen.insert(race);
      known = true;
    }
    if (!known) text += " reported, not expected: lines " + show(pair) + ";";
  }
  for (int race = 0; race < expected.races; ++race) {
    if (seen.contains(race)) continue;
    text += " expected, not reported: RACE ";
    text += static_cast<char>('A' + 2 * race);
    text += '/';
    text += static_cast<char>('A' + 2 * race + 1);
    text += ';';
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::cerr << "usage: check_report SOURCE [--json REPORT | --tsan-log LOG]\n";
    return 2;
  }
  try {
    const Expectation expected = read_expectation(argv[1]);
    if (argc == 2) return 0;  // the expectations alone: are they well formed?
    const std::string kind = argv[2];
    const auto reported =
        kind == "--json" ? read_json(argv[3], argv[1], expected.memory)
                         : read_tsan_log(argv[3], argv[1]);
    const std::string text = difference(expected, reported);
    if (text.empty()) return 0;
    std::cout << text.substr(1) << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 2;
  }
}
