#include "runtime/options.h"

#include <cstring>

// For the program to define; this is what it gets if it does not.
extern "C" __attribute__((visibility("default"), weak, used)) const char* __tsan_default_options() {
  return "";
}

namespace steward::rt {
namespace {

Options values;

bool starts(const char* s, const char* with, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (s[i] != with[i]) return false;
  }
  return true;
}

std::size_t length(const char* s) {
  std::size_t n = 0;
  while (s[n] != '\0') ++n;
  return n;
}

long number(const char* s) {
  long v = 0;
  const bool negative = *s == '-';
  if (negative) ++s;
  for (; *s >= '0' && *s <= '9'; ++s) v = v * 10 + (*s - '0');
  return negative ? -v : v;
}

bool truth(const char* s) {
  return *s == '1' || *s == 't' || *s == 'y';
}

template <std::size_t n>
void copy(const char* value, char (&to)[n]) {
  for (std::size_t i = 0; i + 1 < n; ++i) {
    to[i] = value[i];
    if (value[i] == '\0') break;
  }
}

void apply(const char* key, std::size_t key_length, const char* value) {
  auto is = [&](const char* name) {
    return length(name) == key_length && starts(key, name, key_length);
  };
  if (is("exitcode")) {
    values.exitcode = static_cast<int>(number(value));
  } else if (is("halt_on_error")) {
    values.halt_on_error = truth(value);
  } else if (is("report_atomic_races")) {
    values.report_atomic_races = truth(value);
  } else if (is("sample")) {
    const double rate = rate_of(value);
    if (rate >= 0) values.sample = rate > 1 ? 1 : rate;
  } else if (is("sample_seed")) {
    values.sample_seed = static_cast<std::uint64_t>(number(value));
  } else if (is("sample_period")) {
    const long n = number(value);
    values.sample_period_us = static_cast<unsigned>(n < 100 ? 100 : n > 10'000'000 ? 10'000'000 : n);
  } else if (is("burst")) {
    const long n = number(value);
    values.burst = static_cast<std::uint32_t>(n < 1 ? 1 : n > 1'000'000 ? 1'000'000 : n);
  } else if (is("lockset_barrier")) {
    values.lockset_barrier = *value == 'w' ? Options::Barrier::Write : Options::Barrier::Read;
  } else if (is("lockset_block")) {
    const long n = number(value);
    values.lockset_block = static_cast<std::uint32_t>(n < 0 ? 0 : n > 1 << 20 ? 1 << 20 : n);
  } else if (is("lockset_exclude")) {
    copy(value, values.lockset_exclude);
  } else if (is("unseen")) {
    copy(value, values.unseen);
  } else if (is("history_size")) {
    const long n = number(value);
    values.history_log2 = 15u + static_cast<unsigned>(n < 0 ? 0 : n > 7 ? 7 : n);
  }
}

// key=value, separated by colons, commas or spaces.
void parse(char* s) {
  while (*s != '\0') {
    char* end = s;
    while (*end != '\0' && *end != ':' && *end != ' ' && *end != ',') ++end;
    const bool last = *end == '\0';
    *end = '\0';
    char* equals = s;
    while (*equals != '\0' && *equals != '=') ++equals;
    if (*equals == '=') apply(s, static_cast<std::size_t>(equals - s), equals + 1);
    if (last) return;
    s = end + 1;
  }
}

}  // namespace

const Options& options() {
  return values;
}

double rate_of(const char* text) {
  double v = 0, unit = 1;
  bool any = false, fraction = false;
  for (; (*text >= '0' && *text <= '9') || *text == '.'; ++text) {
    if (*text == '.') {
      fraction = true;
      continue;
    }
    any = true;
    v = v * 10 + (*text - '0');
    if (fraction) unit *= 10;
  }
  if (!any) return -1;
  return v / unit / (*text == '%' ? 100 : 1);
}

bool environment(const char* name, char* to, std::size_t size) {
  const int fd = sys::open_read("/proc/self/environ");
  if (sys::failed(fd)) return false;
  const std::size_t n = length(name);
  std::size_t at = 0;  // in the current variable
  bool matches = true, found = false;
  char buffer[4096];
  for (long got; !found && (got = sys::read(fd, buffer, sizeof buffer)) > 0;) {
    for (long i = 0; i < got; ++i) {
      const char c = buffer[i];
      if (at < n) {
        matches = matches && c == name[at];
      } else if (at == n) {
        matches = matches && c == '=';
      } else if (matches && at - n - 1 < size) {
        to[at - n - 1] = c;
      }
      ++at;
      if (c == '\0') {
        if (matches && at > n + 1) {
          to[size - 1] = '\0';
          found = true;
          break;
        }
        at = 0;
        matches = true;
      }
    }
  }
  sys::close(fd);
  return found;
}

void read_options() {
  static char text[4096];
  // The program's own defaults come first; what the environment says overrides them.
  if (const char* defaults = __tsan_default_options()) {
    std::size_t n = 0;
    for (; defaults[n] != '\0' && n + 1 < sizeof text; ++n) text[n] = defaults[n];
    text[n] = '\0';
    parse(text);
  }
  if (environment("TSAN_OPTIONS", text, sizeof text)) parse(text);
  if (environment("STEWARD_OPTIONS", text, sizeof text)) parse(text);
  environment("STEWARD_RECORD", values.record, sizeof values.record);
}

}  // namespace steward::rt
