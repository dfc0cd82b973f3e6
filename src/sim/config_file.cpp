// The part of TOML that a machine needs, and not a bit more: what is not understood is refused.
#include <fmt/format.h>
#include <unordered_map>

#include "sim/config.h"

namespace steward::sim {

namespace {

class Parser {
 public:
  Parser(Config& config, const std::string& name) : config_(&config), name_(&name) {}

  std::optional<std::string> parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (const auto wrong = take(trim(line))) {
        return fmt::format("{}:{}: {}", *name_, line_, *wrong);
      }
    }
    return std::nullopt;
  }

 private:
  using Wrong = std::optional<std::string>;

  static std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) {
      s.remove_suffix(1);
    }
    return s;
  }

  static bool is_name(std::string_view s, bool dots) {
    if (s.empty()) return false;
    for (const char c : s) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '-';
      if (!letter && !(dots && c == '.')) return false;
    }
    return true;
  }

  // What stands behind a value must be nothing or a comment.
  static bool ends(std::string_view rest) {
    rest = trim(rest);
    return rest.empty() || rest[0] == '#';
  }

  Wrong take(std::string_view line) {
    if (line.empty() || line[0] == '#') return std::nullopt;
    if (line[0] == '[') return table(line);
    const std::size_t equals = line.find('=');
    const std::string_view key = trim(line.substr(0, equals));
    if (equals == std::string_view::npos || !is_name(key, true)) {
      return fmt::format("expected key = value, found '{}'", line);
    }
    const std::string full = table_.empty() ? std::string(key) : fmt::format("{}.{}", table_, key);
    if (const auto [seen, fresh] = seen_.emplace(full, line_); !fresh) {
      return fmt::format("{}: set twice, first on line {}", full, seen->second);
    }
    return value(full, trim(line.substr(equals + 1)));
  }

  Wrong table(std::string_view line) {
    const std::size_t end = line.find(']');
    const std::string_view name =
        end == std::string_view::npos ? line.substr(1) : trim(line.substr(1, end - 1));
    if (end == std::string_view::npos || !is_name(name, true) || !ends(line.substr(end + 1))) {
      return fmt::format("expected [table], found '{}'", line);
    }
    table_ = name;
    return std::nullopt;
  }

  Wrong value(const std::string& key, std::string_view text) {
    if (text.empty()) return fmt::format("{}: no value", key);
    if (text[0] == '[') return array(key, text);
    if (text[0] == '"' || text[0] == '\'') {
      std::string_view inside;
      if (!string(text, inside) || !ends(text))
        return fmt::format("{}: a string without its end", key);
      return set(*config_, key, inside);
    }
    return set(*config_, key, trim(text.substr(0, text.find('#'))));
  }

  // A string at the front of `text`, which is cut by it. No escapes: no value needs them.
  static bool string(std::string_view& text, std::string_view& inside) {
    const std::size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos) return false;
    inside = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
  }

  Wrong array(const std::string& key, std::string_view text) {
    const auto broken = [&] {
      return fmt::format("{}: expected an array of strings on one line, [\"...\", \"...\"]", key);
    };
    text = trim(text.substr(1));
    while (!text.empty() && text[0] != ']') {
      std::string_view inside;
      if ((text[0] != '"' && text[0] != '\'') || !string(text, inside)) return broken();
      if (const auto wrong = set(*config_, key, inside)) return wrong;
      text = trim(text);
      if (!text.empty() && text[0] == ',') {
        text = trim(text.substr(1));
      } else if (text.empty() || text[0] != ']') {
        return broken();
      }
    }
    return text.empty() || !ends(text.substr(1)) ? Wrong(broken()) : std::nullopt;
  }

  Config* config_;
  const std::string* name_;
  std::size_t line_ = 0;
  std::string table_;
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace

std::optional<std::string> read_config(Config& config, const std::string& name,
                                       std::string_view text) {
  return Parser(config, name).parse(text);
}

}  // namespace steward::sim
