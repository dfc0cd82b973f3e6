#include "cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "cli/suggest.h"

namespace steward::cli {

namespace {

constexpr OptionType Type_bool = OptionType::Bool;
constexpr OptionType Type_int = OptionType::Int;
constexpr OptionType Type_text = OptionType::Text;

constexpr OptionInfo kTable[] = {
#define STEWARD_OPTION(name, type, value, side, tsan, help) \
  {#name, Type_##type, #value, OptionSide::side, tsan, help},
#include "runtime/options.def"
#undef STEWARD_OPTION
};

// ThreadSanitizer's that mean nothing here: what they tune or look for does not exist, or always
// happens.
constexpr std::array kWithoutEffect = {"abort_on_error",
                                       "allocator_may_return_null",
                                       "allow_user_segv_handler",
                                       "atexit_sleep_ms",
                                       "check_printf",
                                       "coverage",
                                       "coverage_dir",
                                       "detect_deadlocks",
                                       "detect_invalid_join",
                                       "die_after_fork",
                                       "disable_coredump",
                                       "enable_adaptive_delay",
                                       "fast_unwind_on_check",
                                       "fast_unwind_on_fatal",
                                       "flush_memory_ms",
                                       "flush_symbolizer_ms",
                                       "force_seq_cst_atomics",
                                       "handle_abort",
                                       "handle_segv",
                                       "handle_sigbus",
                                       "handle_sigfpe",
                                       "handle_sigill",
                                       "ignore_interceptors_accesses",
                                       "ignore_noninstrumented_modules",
                                       "intercept_tls_get_addr",
                                       "intercept_tmpdir",
                                       "io_sync",
                                       "log_exe_name",
                                       "log_suffix",
                                       "log_to_syslog",
                                       "malloc_context_size",
                                       "memory_limit_mb",
                                       "print_benign",
                                       "print_full_thread_history",
                                       "print_module_map",
                                       "print_summary",
                                       "profile_memory",
                                       "report_destroy_locked",
                                       "report_mutex_bugs",
                                       "report_signal_unsafe",
                                       "report_thread_leaks",
                                       "running_on_valgrind",
                                       "second_deadlock_stack",
                                       "shared_ptr_interceptor",
                                       "stack_trace_format",
                                       "stop_on_start",
                                       "suppress_equal_addresses",
                                       "suppress_equal_stacks",
                                       "symbolize_inline_frames",
                                       "symbolize_vs_style",
                                       "use_sigaltstack"};

bool is_separator(char c) {
  return c == ':' || c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

struct Pair {
  std::string key;
  std::optional<std::string> value;  // nothing: there was no '='
};

// The next pair; the text is cut by it. A value in quotes may hold separators.
std::optional<Pair> next_pair(std::string_view& text) {
  while (!text.empty() && is_separator(text[0])) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Pair pair;
  std::size_t i = 0;
  while (i < text.size() && text[i] != '=' && !is_separator(text[i])) ++i;
  pair.key = text.substr(0, i);
  if (i == text.size() || text[i] != '=') {
    text.remove_prefix(i);
    return pair;
  }
  text.remove_prefix(i + 1);
  pair.value.emplace();
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const std::size_t end = text.find(text[0], 1);
    *pair.value = text.substr(1, end == std::string_view::npos ? end : end - 1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return pair;
  }
  i = 0;
  while (i < text.size() && !is_separator(text[i])) ++i;
  *pair.value = text.substr(0, i);
  text.remove_prefix(i);
  return pair;
}

std::optional<std::string> set(bool& to, const std::string& value) {
  if (value == "1" || value == "true" || value == "yes") {
    to = true;
  } else if (value == "0" || value == "false" || value == "no") {
    to = false;
  } else {
    return "expected true or false";
  }
  return std::nullopt;
}

std::optional<std::string> set(int& to, const std::string& value) {
  int n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || value.empty()) {
    return "expected a number";
  }
  to = n;
  return std::nullopt;
}

std::optional<std::string> set(std::string& to, const std::string& value) {
  to = value;
  return std::nullopt;
}

// What is allowed beyond the type.
std::optional<std::string> check(std::string_view key, const std::string& value) {
  const auto one_of = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), value) != words.end();
  };
  if (key == "merge" && !one_of({"stack", "top", "location"})) {
    return "expected stack, top or location";
  }
  if (key == "lockset_barrier" && !one_of({"read", "write"})) return "expected read or write";
  if (key == "report_style" && !one_of({"text", "tsan"})) return "expected text or tsan";
  if (key == "color" && !one_of({"auto", "always", "never"})) {
    return "expected auto, always or never";
  }
  if (key == "history_size" && (value.size() != 1 || value[0] < '0' || value[0] > '7')) {
    return "expected 0 to 7";
  }
  return std::nullopt;
}

std::optional<std::string> assign(const std::string& key, const std::string& value,
                                  Options& options) {
  if (auto wrong = check(key, value)) return wrong;
#define STEWARD_OPTION(name, type, default_value, side, tsan, help) \
  if (key == #name) return set(options.name, value);
#include "runtime/options.def"
#undef STEWARD_OPTION
  return std::nullopt;
}

// The key of our table for what was written, or nothing.
const OptionInfo* known(const std::string& key, OptionSource source) {
  const auto it = std::find_if(std::begin(kTable), std::end(kTable), [&](const OptionInfo& o) {
    return key == (source == OptionSource::Tsan ? o.tsan : o.name);
  });
  return it == std::end(kTable) ? nullptr : it;
}

std::string unknown_text(const std::string& key, OptionSource source) {
  std::vector<std::string> names;
  for (const OptionInfo& o : kTable) {
    const char* name = source == OptionSource::Tsan ? o.tsan : o.name;
    if (*name != '\0') names.emplace_back(name);
  }
  const std::string meant = suggestion(key, names);
  return fmt::format("unknown option '{}'{}", key,
                     meant.empty() ? "; 'steward run --help-options' lists them"
                                   : fmt::format(" (did you mean '{}'?)", meant));
}

}  // namespace

std::span<const OptionInfo> option_table() {
  return kTable;
}

std::vector<std::string> apply_options(std::string_view text, OptionSource source,
                                       Options& options) {
  const char* variable = source == OptionSource::Tsan ? "TSAN_OPTIONS" : "STEWARD_OPTIONS";
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& what) {
    warnings.push_back(fmt::format("{}: {}", variable, what));
  };
  std::string idle;
  while (const auto pair = next_pair(text)) {
    const std::string& key = pair->key;
    const OptionInfo* info = known(key, source);
    if (info == nullptr &&
        std::find(kWithoutEffect.begin(), kWithoutEffect.end(), key) != kWithoutEffect.end()) {
      idle += (idle.empty() ? "" : ", ") + key;
    } else if (info == nullptr) {
      warn(unknown_text(key, source));
    } else if (!pair->value) {
      warn(fmt::format("'{}' has no value; write {}=VALUE", key, key));
    } else if (const auto wrong = assign(info->name, *pair->value, options)) {
      warn(fmt::format("{}={}: {}", key, *pair->value, *wrong));
    }
  }
  if (!idle.empty()) warn(fmt::format("without effect here: {}", idle));
  return warnings;
}

std::string runtime_options(const Options& options) {
  // The reporter decides about the exit code, as it knows what is suppressed.
  Options told = options;
  told.exitcode = 0;
  std::string out;
  const auto add = [&](OptionSide side, const char* name, const auto& value) {
    if (side == OptionSide::Reporter) return;
    out += fmt::format("{}{}={}", out.empty() ? "" : ":", name, value);
  };
#define STEWARD_OPTION(name, type, value, side, tsan, help) \
  add(OptionSide::side, #name, Options::option_##type(told.name));
#include "runtime/options.def"
#undef STEWARD_OPTION
  return out;
}

std::string options_help() {
  std::string out =
      "Options, as STEWARD_OPTIONS=\"key=value:key=value\". Those marked T are read from\n"
      "TSAN_OPTIONS too; what the command line says comes first.\n\n";
  constexpr std::size_t kColumn = 40;
  for (const OptionInfo& o : kTable) {
    const char* types[] = {"bool", "int", "text"};
    const std::string left = fmt::format("  {:<26} {} {:<4}", o.name, *o.tsan != '\0' ? 'T' : ' ',
                                         types[static_cast<std::size_t>(o.type)]);
    std::string line = fmt::format("{:<{}}", left, kColumn);
    std::string_view words = o.help;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (line.size() + end > 98) {
        out += line + "\n";
        line = std::string(kColumn - 1, ' ');
      }
      if (line.back() != ' ' || line.size() < kColumn) line += ' ';
      line += words.substr(0, end);
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    out += fmt::format("{} (default: {})\n", line, o.default_text);
  }
  return out;
}

}  // namespace steward::cli
