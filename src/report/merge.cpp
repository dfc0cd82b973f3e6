#include "report/merge.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/frames.h"

namespace steward::report {

namespace {

// Not by address: it differs from run to run and between the copies of an inlined function.
std::string identity(const Frame& f) {
  if (f.function.empty() && f.file.empty()) {
    return fmt::format("{}+{:x}", base_name(f.module), f.module.empty() ? f.pc : f.offset);
  }
  return fmt::format("{}|{}|{}", f.function, f.file, f.line);
}

std::string joined(const Stack& stack, std::size_t frames) {
  std::string key;
  for (std::size_t i = 0; i < std::min(frames, stack.size()); ++i) key += identity(stack[i]) + '\n';
  return key;
}

// The keys of both accesses, the smaller first.
std::string pair_key(const Race& race, std::size_t frames) {
  std::vector<std::string> keys;
  for (const Access& access : race.accesses) keys.push_back(joined(access.stack, frames));
  std::sort(keys.begin(), keys.end());
  std::string key;
  for (const std::string& k : keys) key += k + "--\n";
  return key;
}

std::string location_key(const Race& race) {
  const Memory& m = race.memory;
  if (!m.symbol.empty()) return fmt::format("{}|{}", m.symbol, m.module);
  if (m.kind == MemoryKind::Heap && !m.stack.empty()) {
    return joined(m.stack, m.stack.size());
  }
  return pair_key(race, 1);
}

constexpr std::size_t kAll = static_cast<std::size_t>(-1);

}  // namespace

std::optional<Merge> merge_named(std::string_view name) {
  if (name == "stack") return Merge::ByStack;
  if (name == "top") return Merge::ByTop;
  if (name == "location") return Merge::ByLocation;
  return std::nullopt;
}

std::string merge_key(const Race& race, Merge merge) {
  switch (merge) {
    case Merge::ByStack:
      return pair_key(race, kAll);
    case Merge::ByTop:
      return pair_key(race, 1);
    case Merge::ByLocation:
      return location_key(race);
  }
  return {};
}

std::optional<std::size_t> Merger::add(const Race& race, std::size_t index) {
  const auto [it, fresh] = seen_.try_emplace(merge_key(race, merge_), index);
  if (fresh) return std::nullopt;
  return it->second;
}

}  // namespace steward::report
