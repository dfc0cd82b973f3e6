#include "trace/text_spelling.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

#include "trace/binary_format.h"

namespace steward::trace {

namespace {

constexpr std::array<std::string_view, kNameKinds> kWords = {"thread", "var", "sync", "site",
                                                             "function"};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_escape(std::string_view text, std::size_t at) {
  return text[at] == '%' && at + 2 < text.size() && hex_digit(text[at + 1]) >= 0 &&
         hex_digit(text[at + 2]) >= 0;
}

bool has_hex_prefix(std::string_view text) {
  return text.substr(0, 2) == "0x";
}

// V1+4: where the + is.
std::size_t offset_mark(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool marked = last != name.npos && name[last] == '+' && last + 1 < name.size();
  return marked ? last : name.npos;
}

// Its first byte would make a reader take the name for something else.
bool misread_at_start(NameKind kind, std::string_view name) {
  switch (kind) {
    case NameKind::Thread:
      // The magic byte at the head of the file would make it a binary trace.
      return name == "*" || name[0] == '#' || name[0] == '@' || name[0] == kMagic[0] ||
             default_form(kind, name);
    case NameKind::Variable:
    case NameKind::Sync:
      return has_hex_prefix(name);
    case NameKind::Site:
    case NameKind::Function:
      return default_form(kind, name).has_value();
  }
  return false;
}

bool needs_escape(NameKind kind, std::string_view name, std::size_t at) {
  const auto c = static_cast<unsigned char>(name[at]);
  if (c < 0x20 || c == 0x7f) return true;
  const bool edge = at == 0 || at + 1 == name.size();
  if (c == ' ' && edge) return true;
  if (is_escape(name, at)) return true;
  if (kind == NameKind::Site) return false;
  return c == ',' || c == '(' || c == ')' || c == '|';
}

}  // namespace

std::string_view declaration_word(NameKind kind) {
  return kWords[static_cast<std::size_t>(kind)];
}

std::optional<NameKind> declared_kind(std::string_view word) {
  for (unsigned k = 0; k < kNameKinds; ++k) {
    if (kWords[k] == word) return static_cast<NameKind>(k);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t max) {
  if (text.empty() || text.size() > 20 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || value > max) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (!has_hex_prefix(text)) return parse_decimal(text, ~std::uint64_t{0});
  text.remove_prefix(2);
  if (text.empty() || text.size() > 16) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  return value;
}

std::optional<std::uint64_t> default_form(NameKind kind, std::string_view text) {
  switch (kind) {
    case NameKind::Thread:
      if (text[0] != 'T') return std::nullopt;
      return parse_decimal(text.substr(1), raw(kAllThreads) - 1);
    case NameKind::Variable:
    case NameKind::Sync:
      return has_hex_prefix(text) ? parse_number(text) : std::nullopt;
    case NameKind::Site:
    case NameKind::Function:
      if (text[0] != '#') return std::nullopt;
      return parse_decimal(text.substr(1), 0xffff'ffff);
  }
  return std::nullopt;
}

void append_default_form(NameKind kind, std::uint64_t id, std::string& out) {
  const auto to = std::back_inserter(out);
  switch (kind) {
    case NameKind::Thread:
      fmt::format_to(to, "T{}", id);
      break;
    case NameKind::Variable:
    case NameKind::Sync:
      fmt::format_to(to, "{:#x}", id);
      break;
    case NameKind::Site:
    case NameKind::Function:
      fmt::format_to(to, "#{}", id);
      break;
  }
}

std::string escaped(NameKind kind, std::string_view name) {
  const std::size_t plus = kind == NameKind::Variable ? offset_mark(name) : name.npos;
  const bool escape_first = misread_at_start(kind, name);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((i == 0 && escape_first) || i == plus || needs_escape(kind, name, i)) {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(name[i]));
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string_view unescaped(std::string_view text, std::string& scratch) {
  if (text.find('%') == text.npos) return text;
  scratch.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_escape(text, i)) {
      scratch += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      scratch += text[i];
    }
  }
  return scratch;
}

}  // namespace steward::trace
