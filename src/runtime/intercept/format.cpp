#include "runtime/intercept/format.h"

#include "runtime/intercept/copy.h"
#include "runtime/intercept/range.h"

namespace steward::rt {
namespace {

enum class Length { None, Char, Short, Long, LongLong, LongDouble };

Length read_length(const char*& f) {
  switch (*f) {
    case 'h':
      if (*++f != 'h') return Length::Short;
      ++f;
      return Length::Char;
    case 'l':
      if (*++f != 'l') return Length::Long;
      ++f;
      return Length::LongLong;
    case 'j':
    case 'z':
    case 't':
    case 'q':
      ++f;
      return Length::LongLong;
    case 'L':
      ++f;
      return Length::LongDouble;
    default:
      return Length::None;
  }
}

std::size_t size_of_integer(Length l) {
  switch (l) {
    case Length::Char:
      return 1;
    case Length::Short:
      return 2;
    case Length::None:
      return 4;
    default:
      return 8;
  }
}
std::size_t size_of_real(Length l) {
  return l == Length::None   ? sizeof(float)
         : l == Length::Long ? sizeof(double)
                             : sizeof(long double);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// -1: there is none.
long read_number(const char*& f) {
  if (!is_digit(*f)) return -1;
  long n = 0;
  for (; is_digit(*f); ++f) n = n < 100'000'000 ? n * 10 + (*f - '0') : n;
  return n;
}
bool is_one_of(char c, const char* set) {
  for (; *set != '\0'; ++set) {
    if (*set == c) return true;
  }
  return false;
}

// A string of wide or narrow characters as %s sees it: with its null, or cut off by the precision.
template <class Char>
std::size_t extent(const Char* s, long precision) {
  const std::size_t most = precision < 0 ? ~std::size_t{0} : static_cast<std::size_t>(precision);
  std::size_t n = 0;
  while (n < most && s[n] != 0) ++n;
  return (n < most ? n + 1 : n) * sizeof(Char);
}

}  // namespace

void printf_arguments(ThreadState& t, const char* f, va_list arguments, uptr pc) {
  while (*f != '\0') {
    if (*f++ != '%') continue;
    if (*f == '%') {
      ++f;
      continue;
    }
    while (*f != '\0' && is_one_of(*f, "-+ #0'I")) ++f;
    if (*f == '*') {
      ++f;
      va_arg(arguments, int);
    } else if (read_number(f) >= 0 && *f == '$') {
      return;
    }
    long precision = -1;
    if (*f == '.') {
      ++f;
      if (*f == '*') {
        ++f;
        precision = va_arg(arguments, int);
      } else {
        precision = read_number(f);
        if (precision < 0) precision = 0;
      }
    }
    const Length length = read_length(f);
    switch (*f) {
      case '\0':
        return;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'b':
      case 'B':
      case 'c':
      case 'C':
        va_arg(arguments, long);
        break;  // every integer takes a whole slot
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        if (length == Length::LongDouble) {
          va_arg(arguments, long double);
        } else {
          va_arg(arguments, double);
        }
        break;
      case 's':
      case 'S': {
        const void* s = va_arg(arguments, void*);
        if (s == nullptr) break;
        const bool wide = *f == 'S' || length == Length::Long;
        reads(t, s,
              wide ? extent(static_cast<const wchar_t*>(s), precision)
                   : extent(static_cast<const char*>(s), precision),
              pc);
        break;
      }
      case 'p':
        va_arg(arguments, void*);
        break;
      case 'n':
        if (void* p = va_arg(arguments, void*)) writes(t, p, size_of_integer(length), pc);
        break;
      case 'm':
        break;
      default:
        return;  // a directive we do not know
    }
    ++f;
  }
}

void scanf_arguments(ThreadState& t, const char* f, int assigned, va_list arguments, uptr pc) {
  while (*f != '\0' && assigned > 0) {
    if (*f++ != '%') continue;
    if (*f == '%') {
      ++f;
      continue;
    }
    const bool skipped = *f == '*';
    if (skipped) ++f;
    if (*f == '\'') ++f;
    const long width = read_number(f);
    if (*f == '$') return;
    const bool allocates = *f == 'm';
    if (allocates) ++f;
    const Length length = read_length(f);
    const char kind = *f;
    if (kind == '\0') return;
    ++f;
    if (kind == '[') {
      if (*f == '^') ++f;
      if (*f == ']') ++f;
      while (*f != '\0' && *f != ']') ++f;
      if (*f == ']') ++f;
    }
    if (skipped) continue;
    void* to = va_arg(arguments, void*);
    if (kind == 'n') {
      writes(t, to, size_of_integer(length), pc);
      continue;
    }
    --assigned;
    const bool wide = length == Length::Long || kind == 'S' || kind == 'C';
    if (allocates || kind == 'p') {
      writes(t, to, sizeof(void*), pc);
    } else if (is_one_of(kind, "diouxX")) {
      writes(t, to, size_of_integer(length), pc);
    } else if (is_one_of(kind, "eEfFgGaA")) {
      writes(t, to, size_of_real(length), pc);
    } else if (is_one_of(kind, "sS[")) {
      writes(t, to,
             wide ? extent(static_cast<wchar_t*>(to), -1) : extent(static_cast<char*>(to), -1), pc);
    } else if (is_one_of(kind, "cC")) {
      const std::size_t n = width < 0 ? 1 : static_cast<std::size_t>(width);
      writes(t, to, n * (wide ? sizeof(wchar_t) : 1), pc);
    } else {
      return;
    }
  }
}

}  // namespace steward::rt
