// Options as users give them: STEWARD_OPTIONS and TSAN_OPTIONS, key=value. The table itself is
// runtime/options.def, which the runtime reads too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steward::cli {

enum class OptionType : unsigned char { Bool, Int, Text };
enum class OptionSide : unsigned char { Runtime, Reporter, Both };

struct OptionInfo {
  const char* name;
  OptionType type;
  const char* default_text;
  OptionSide side;
  const char* tsan;  // the key of TSAN_OPTIONS with the same meaning, or ""
  const char* help;
};

std::span<const OptionInfo> option_table();

struct Options {
  using option_bool = bool;
  using option_int = int;
  using option_text = std::string;
#define STEWARD_OPTION(name, type, value, side, tsan, help) option_##type name = value;
#include "runtime/options.def"
#undef STEWARD_OPTION
};

enum class OptionSource : unsigned char { Steward, Tsan };

// Applies "key=value:key=value" (colons, commas or blanks; values may be quoted). What comes back
// are warnings, one line each: nothing is ignored in silence.
std::vector<std::string> apply_options(std::string_view text, OptionSource source,
                                       Options& options);

// What the runtime has to know, in the form it reads.
std::string runtime_options(const Options& options);

// The table for a person.
std::string options_help();

}  // namespace steward::cli
