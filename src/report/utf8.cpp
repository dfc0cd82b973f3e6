#include "report/utf8.h"

#include <cstdint>

namespace steward::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool continues(unsigned char c) {
  return (c & 0xC0) == 0x80;
}

// Length of the sequence that begins the text; 0: it is not one.
std::size_t sequence(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(static_cast<unsigned char>(at(i)))) return 0;
  }
  // Longer than needed, surrogates, beyond the last code point.
  const unsigned next = at(1);
  if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) ||
      (lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F)) {
    return 0;
  }
  return length;
}

template <class Keep>
std::string filtered(std::string_view text, Keep keep) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    if (length == 0 || !keep(text.substr(0, length))) {
      out += kReplacement;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  return filtered(text, [](std::string_view) { return true; });
}

std::string bytes_of(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    // C2 and C3 lead U+0080 to U+00FF
    if ((lead == 0xC2 || lead == 0xC3) && i + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[++i]);
      out += static_cast<char>((lead & 3) << 6 | (next & 0x3F));
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string printable(std::string_view text) {
  return filtered(text, [](std::string_view one) {
    const auto c = static_cast<unsigned char>(one[0]);
    const bool c1 = c == 0xC2 && static_cast<unsigned char>(one[1]) < 0xA0;
    return c >= 0x20 && c != 0x7F && !c1;
  });
}

}  // namespace steward::report
