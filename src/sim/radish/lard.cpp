// LARDISH (LARD paper, Section 4.2): clearing and copying histories, cached ones too; and the views
// that tests have.
#include <algorithm>
#include <bit>

#include "sim/radish/radish.h"

namespace steward::sim {

// f(line, bytes of it) for each line of the range that a cache knows.
template <class F>
void Radish::for_each_cached_line(Address address, std::uint64_t size, F f) {
  const Address end = address + size;
  const auto part = [&](Line& line) {
    const Address base = address_of(line);
    const Address from = std::max(base, address);
    const Address to = std::min(base + config_->line, end);
    f(line, bytes_from(static_cast<unsigned>(from - base), static_cast<unsigned>(to - from)));
  };
  const std::uint64_t first = address >> line_shift_;
  const std::uint64_t last = (end - 1) >> line_shift_;
  if (last - first < hierarchy_->lines().size()) {
    for (std::uint64_t n = first; n <= last; ++n) {
      if (Line* line = hierarchy_->lines().find(n)) part(*line);
    }
    return;
  }
  std::vector<std::uint64_t> numbers;  // lines may be forgotten on the way
  hierarchy_->lines().for_each([&](const Line& line) {
    if (line.number >= first && line.number <= last) numbers.push_back(line.number);
  });
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t n : numbers) {
    if (Line* line = hierarchy_->lines().find(n)) part(*line);
  }
}

// Cached histories are invalidated without a word to software.
void Radish::clear_hardware(Line& line, Bytes bytes) {
  ++line.busy;
  for (std::uint32_t k = 0; k < line.copies.size();) {
    const std::uint32_t i = line.copies[k];
    Copy& copy = hierarchy_->copies()[i];
    drop_reads(copy, bytes);
    drop_writes(copy, bytes);
    copy.may_read &= ~bytes;
    copy.may_write &= ~bytes;
    if ((copy.resident & ~bytes) != 0) {
      ++k;
      continue;
    }
    for (unsigned half = 0; half < 2; ++half) {
      if ((copy.in_l3 >> half & 1) == 0) continue;
      work_.latency(hierarchy_->metadata_latency(i, half));
      ++counts_->invalidated_lines;
    }
    evict_from_caches(i);  // and out of the list
  }
  forgotten(line, bytes);
  hierarchy_->release(line);
}

std::uint64_t Radish::clear(unsigned core, Address address, std::uint64_t size) {
  if (size == 0) return 0;
  // An instruction for each page, as regions never cross one.
  const std::uint64_t pages = (address + size - 1) / config_->page - address / config_->page + 1;
  counts_->clears += pages;
  work_.instructions(pages * config_->software_entry);
  if (fault_ != Fault::ClearKeepsCached) {
    for_each_cached_line(address, size,
                         [&](Line& line, Bytes bytes) { clear_hardware(line, bytes); });
  }
  map_.clear(address, size);
  // Software looks up each page, and clears what it has; a huge region is cleared by the page.
  const std::uint64_t first = address >> line_shift_;
  const std::uint64_t lines = ((address + size - 1) >> line_shift_) - first + 1;
  const std::uint64_t touched = std::min<std::uint64_t>(lines, 64 * 1024);
  for (std::uint64_t n = first; n < first + touched; ++n) {
    if (n == first || n % 64 == 0) work_.touch(software::directory_line(n), false);
    work_.touch_rare(software::map_line(n, 0), true);
    work_.touch_rare(software::map_line(n, 1), true);
  }
  return work_.run(*hierarchy_, core);
}

std::uint64_t Radish::copy(unsigned core, Address from, Address to, std::uint64_t size) {
  if (size == 0) return 0;
  const std::uint64_t pages = (from + size - 1) / config_->page - from / config_->page + 1;
  counts_->copies += pages;
  work_.instructions(pages * config_->software_entry);
  if (fault_ != Fault::CopyWithoutEviction) {
    for_each_cached_line(from, size, [&](Line& line, Bytes) {
      ++line.busy;
      while (line.copies.size() != 0) {
        const std::uint32_t i = line.copies[0];
        for (unsigned half = 0; half < 2; ++half) {
          if ((hierarchy_->copies()[i].in_l3 >> half & 1) == 0) continue;
          work_.latency(hierarchy_->metadata_latency(i, half));
          work_.instructions(config_->evict_instructions);
          work_.touch_rare(software::map_line(line.number, half), true);
          ++counts_->copied_lines;
        }
        evict_from_caches(i);
      }
      hierarchy_->release(line);
    });
  }
  for_each_cached_line(to, size, [&](Line& line, Bytes bytes) { clear_hardware(line, bytes); });
  map_.copy(from, to, size);
  const std::uint64_t lines =
      std::min<std::uint64_t>((size + config_->line - 1) >> line_shift_, 64 * 1024);
  for (std::uint64_t i = 0; i < lines; ++i) {
    for (unsigned half = 0; half < 2; ++half) {
      work_.touch_rare(software::map_line((from >> line_shift_) + i, half), false);
      work_.touch_rare(software::map_line((to >> line_shift_) + i, half), true);
    }
  }
  return work_.run(*hierarchy_, core);
}

Radish::View Radish::view(unsigned core, Address address) {
  View v;
  const Line* line = hierarchy_->lines().find(address >> line_shift_);
  if (line == nullptr) return v;
  const auto b = static_cast<unsigned>(address & (config_->line - 1));
  v.status = status(*line, b);
  for (const std::uint32_t i : line->copies) {
    const Copy& copy = hierarchy_->copies()[i];
    if (copy.core != core || (copy.resident >> b & 1) == 0) continue;
    v.permission = (copy.may_write >> b & 1) != 0 ? 'W' : (copy.may_read >> b & 1) != 0 ? 'R' : 'N';
    if ((copy.valid_reads >> b & 1) != 0) v.read = copy.reads[b];
    if ((copy.valid_writes >> b & 1) != 0) v.write = copy.writes[b];
  }
  return v;
}

std::vector<Clock> Radish::software_reads(Address address, unsigned threads) {
  std::vector<Clock> all(threads);
  map_.visit_existing(address, 1, [&](History& h, Address, unsigned) {
    h.for_each_read([&](Epoch e) { all[raw(e.slot())] = e.clock(); });
  });
  return all;
}

std::vector<Clock> Radish::software_writes(Address address, unsigned threads) {
  std::vector<Clock> all(threads);
  map_.visit_existing(address, 1, [&](History& h, Address, unsigned) {
    if (!h.write().is_minimal()) all[raw(h.write().slot())] = h.write().clock();
  });
  return all;
}

void Radish::set_software(Address address, std::uint64_t size, Epoch read, Epoch write) {
  map_.visit(address, size, [&](History& h, Address, unsigned) {
    h.put_read(*pool_, read);
    h.set_write(write);
  });
}

void Radish::force_eviction(unsigned core, Address address) {
  Line* line = hierarchy_->lines().find(address >> line_shift_);
  if (line == nullptr) return;
  for (const std::uint32_t i : line->copies) {
    if (hierarchy_->copies()[i].core != core) continue;
    evict_from_caches(i);
    return;
  }
}

}  // namespace steward::sim
