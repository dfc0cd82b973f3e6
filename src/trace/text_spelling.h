// How names and numbers are spelt in a text trace. A spelling is either a form of a number (T7,
// 0x1000, #12) or a name; a name that could be mistaken is written with %XX escapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/names.h"

namespace steward::trace {

// The word that declares a name of this kind: @thread, @var, @sync, @site, @function.
std::string_view declaration_word(NameKind kind);
std::optional<NameKind> declared_kind(std::string_view word);

// Decimal without needless zeros, at most `max`.
std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t max);
// Decimal, or hexadecimal after 0x, below 2^64.
std::optional<std::uint64_t> parse_number(std::string_view text);

// The number that a spelling stands for by itself; nothing when it is a name.
std::optional<std::uint64_t> default_form(NameKind kind, std::string_view text);
void append_default_form(NameKind kind, std::uint64_t id, std::string& out);

// The spelling that reads back as `name`.
std::string escaped(NameKind kind, std::string_view name);
// The name that a spelling without default form stands for; `scratch` holds it if it had escapes.
std::string_view unescaped(std::string_view text, std::string& scratch);

}  // namespace steward::trace
