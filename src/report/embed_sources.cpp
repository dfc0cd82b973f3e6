#include "report/embed_sources.h"

#include <algorithm>

#include "report/frames.h"
#include "report/source_lines.h"

namespace steward::report {

namespace {

constexpr unsigned kContext = 3;     // lines before and after
constexpr std::size_t kFrames = 12;  // of a stack

void embed(const Stack& stack, SourceLines& files, const Sources& there, Sources& to) {
  for (std::size_t i = 0; i < std::min(stack.size(), kFrames); ++i) {
    const Frame& f = stack[i];
    if (f.line == 0 || f.file.empty() || there.contains(f.file) || is_plumbing(f)) {
      continue;
    }
    const std::size_t count = files.count(f.file);
    if (f.line > count) continue;
    const unsigned first = f.line > kContext ? f.line - kContext : 1;
    for (unsigned n = first; n <= f.line + kContext && n <= count; ++n) {
      to[f.file].try_emplace(n, files.line(f.file, n));
    }
  }
}

}  // namespace

void embed_sources(Report& report) {
  SourceLines files;
  Sources fresh;
  const auto add = [&](const Stack& stack) { embed(stack, files, report.sources, fresh); };
  for (const Race& race : report.races) {
    for (const Access& access : race.accesses) add(access.stack);
    add(race.memory.stack);
    for (const Lock& lock : race.locks) add(lock.stack);
    for (const Thread& thread : race.threads) add(thread.stack);
  }
  report.sources.merge(fresh);
}

}  // namespace steward::report
