#include "sim/run/detection.h"

namespace steward::sim {

Cost SoftwareFastTrack::access(unsigned core, ThreadId thread, AccessKind kind, Address address,
                               std::uint64_t size, unsigned) {
  Cost cost;
  cost.cycles = untracked(core, is_write(kind), address, size);
  const HappensBefore::Thread& t = order_->thread(thread);
  const std::uint64_t slot = raw(t.now.slot());
  work_.instructions(config_->fasttrack_instrumentation);
  std::uint64_t last = ~std::uint64_t{0};
  cells_.visit(address, size, [&](fasttrack::Cell& f, Address at, unsigned) {
    // 16 bytes a granule of 8: a line of cells for half a line of data.
    const std::uint64_t number = at >> line_shift_;
    const std::uint64_t cell = software::map_line(number, at >> (line_shift_ - 1) & 1);
    const Epoch before = f.write().epoch;
    const Verdict v = fasttrack::access(*pool_, f, t, kind, kNoSite, true);
    cost.race = cost.race || v.racy();
    const bool same = v.rule == AccessRule::ReadSameEpoch || v.rule == AccessRule::WriteSameEpoch;
    if (cell != last) {
      work_.touch(software::directory_line(number), false);
      work_.touch(cell, !same);
      last = cell;
    }
    if (same) return;
    work_.instructions(config_->fasttrack_update);
    work_.touch(software::thread_clock_line(slot, raw(before.slot())), false);
    const bool shared = v.rule == AccessRule::ReadShared || v.rule == AccessRule::WriteShared;
    if (!shared && !is_atomic(kind)) return;
    const std::uint64_t entries = order_->slots();
    work_.instructions(entries * config_->clock_instructions);
    work_.touch(software::read_map_line(number), true);
    for (std::uint64_t i = 0; i < entries && is_write(kind); i += 16) {
      work_.touch(software::thread_clock_line(slot, i), false);
    }
  });
  cost.cycles += work_.run(*hierarchy_, core);
  cost.stage = Stage::Software;
  return cost;
}

std::uint64_t SoftwareFastTrack::clear(unsigned core, Address a, std::uint64_t size) {
  if (size == 0) return 0;
  cells_.clear(a, size);
  const std::uint64_t first = a >> line_shift_;
  const std::uint64_t lines = ((a + size - 1) >> line_shift_) - first + 1;
  for (std::uint64_t n = first; n < first + std::min<std::uint64_t>(lines, 64 * 1024); ++n) {
    if (n == first || n % 64 == 0) work_.touch(software::directory_line(n), false);
    work_.touch(software::map_line(n, 0), true);
    work_.touch(software::map_line(n, 1), true);
  }
  return work_.run(*hierarchy_, core);
}

std::uint64_t SoftwareFastTrack::copy(unsigned core, Address from, Address to, std::uint64_t size) {
  if (size == 0) return 0;
  cells_.copy(from, to, size);
  const std::uint64_t lines =
      std::min<std::uint64_t>((size + config_->line - 1) >> line_shift_, 64 * 1024);
  for (std::uint64_t i = 0; i < lines; ++i) {
    for (unsigned half = 0; half < 2; ++half) {
      work_.touch(software::map_line((from >> line_shift_) + i, half), false);
      work_.touch(software::map_line((to >> line_shift_) + i, half), true);
    }
  }
  return work_.run(*hierarchy_, core);
}

}  // namespace steward::sim
