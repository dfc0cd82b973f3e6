#include "runtime/jumble/config.h"

#include "runtime/options.h"

namespace steward::rt::jumble {
namespace {

bool same(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

std::uint64_t number(const char* s, unsigned base) {
  std::uint64_t n = 0;
  for (; *s != '\0'; ++s) {
    const char c = *s;
    n = n * base + static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return n;
}

void apply(Config& c, const char* key, const char* value) {
  if (same(key, "seed")) {
    c.seed = number(value, 10);
  } else if (same(key, "heuristic")) {
    for (unsigned h = 0; h < steward::jumble::kHeuristics; ++h) {
      const auto heuristic = static_cast<steward::jumble::Heuristic>(h);
      if (same(value, name(heuristic))) c.heuristic = heuristic;
    }
  } else if (same(key, "unit")) {
    c.unit = static_cast<unsigned>(number(value, 10));
  } else if (same(key, "atomics")) {
    c.all_atomics = same(value, "all");
  } else if (same(key, "variable") && c.variable_count < Config::kMax) {
    c.variables[c.variable_count++] = static_cast<std::uint32_t>(number(value, 16));
  } else if (same(key, "line") && c.line_count < Config::kMax) {
    c.lines[c.line_count++] = static_cast<std::uint32_t>(number(value, 16));
  } else if (same(key, "index") && c.index_count < 64) {
    c.indices[c.index_count++] = static_cast<std::uint32_t>(number(value, 10));
  } else if (same(key, "results")) {
    for (unsigned i = 0; value[i] != '\0' && i + 1 < sizeof c.results; ++i) c.results[i] = value[i];
  }
}

}  // namespace

bool read_config(Config& c) {
  static char path[4096];
  if (!environment("STEWARD_JUMBLE", path, sizeof path) || path[0] == '\0') return false;
  const int fd = sys::open_read(path);
  if (sys::failed(fd)) sys::die("STEWARD_JUMBLE names a file that cannot be read");
  constexpr std::size_t kSize = 256 * 1024;
  char* const text = static_cast<char*>(sys::map(kSize));
  std::size_t size = 0;
  for (long got; size < kSize - 1 && (got = sys::read(fd, text + size, kSize - 1 - size)) > 0;) {
    size += static_cast<std::size_t>(got);
  }
  sys::close(fd);
  for (char* at = text; *at != '\0';) {
    char* const key = at;
    char* value = nullptr;
    for (; *at != '\0' && *at != '\n'; ++at) {
      if (*at == ' ' && value == nullptr) {
        *at = '\0';
        value = at + 1;
      }
    }
    if (*at == '\n') *at++ = '\0';
    if (value != nullptr) apply(c, key, value);
  }
  sys::unmap(text, kSize);
  return true;
}

}  // namespace steward::rt::jumble
