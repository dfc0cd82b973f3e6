#include "report/fingerprint.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <fmt/format.h>
#include <xxhash.h>

#include "report/frames.h"

namespace steward::report {

namespace {

std::string identity(const Frame& f) {
  if (f.function.empty() && f.file.empty()) {
    return fmt::format("{}+{:x}", base_name(f.module), f.offset);
  }
  const bool relative = f.start_line != 0 && f.line >= f.start_line;
  return fmt::format("{}|{}|{}", f.function, base_name(f.file),
                     relative ? f.line - f.start_line : 0);
}

// Empty only if the stack is.
std::string key_of(const Stack& stack) {
  const bool only_plumbing = std::all_of(stack.begin(), stack.end(), is_plumbing);
  std::string key;
  std::string last;
  for (const Frame& frame : stack) {
    if (!only_plumbing && is_plumbing(frame)) continue;
    std::string one = identity(frame);
    if (one == last) continue;
    key += one + '\n';
    last = std::move(one);
  }
  return key;
}

std::string digits(const std::string& key) {
  return fmt::format("{:016x}", XXH3_64bits(key.data(), key.size()));
}

}  // namespace

std::string fingerprint(const Race& race) {
  std::vector<std::string> keys;
  for (const Access& access : race.accesses) keys.push_back(key_of(access.stack));
  std::sort(keys.begin(), keys.end());
  std::string key;
  for (const std::string& k : keys) key += k + "--\n";
  return digits(key);
}

std::array<std::string, 2> half_fingerprints(const Race& race) {
  std::array<std::string, 2> out;
  for (std::size_t i = 0; i < std::min(out.size(), race.accesses.size()); ++i) {
    const Access& access = race.accesses[i];
    if (!access.stack_lost && !access.stack.empty()) out[i] = digits(key_of(access.stack));
  }
  return out;
}

}  // namespace steward::report
