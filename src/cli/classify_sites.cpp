#include "cli/classify_sites.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "report/elf_file.h"

namespace steward::cli {

namespace {

// The fields of a line, which tabs separate.
std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t tab = line.find('\t');
    out.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return out;
    line.remove_prefix(tab + 1);
  }
}

}  // namespace

bool SiteTable::add(const std::string& path) {
  const std::string text = report::read_section(path, "steward_sites");
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<std::string_view> f = fields(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::uint64_t site = 0;
    if (f.size() != 4 ||
        std::from_chars(f[0].data(), f[0].data() + f[0].size(), site, 16).ec != std::errc()) {
      continue;
    }
    sites_.push_back({static_cast<std::uint32_t>(site >> 32),
                      static_cast<std::uint32_t>(site) & ~1u, std::string(f[1]), std::string(f[2]),
                      std::string(f[3])});
  }
  return !text.empty();
}

std::vector<const Site*> SiteTable::at(std::string_view file, unsigned line,
                                       unsigned column) const {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  const std::string start = fmt::format("{}:{}:", name, line);
  const std::string whole = start + std::to_string(column);
  std::vector<const Site*> out;
  for (const Site& s : sites_) {
    if (column == 0 ? s.place.starts_with(start) : s.place == whole) out.push_back(&s);
  }
  return out;
}

std::vector<const Site*> SiteTable::named(std::string_view name) const {
  std::vector<const Site*> out;
  for (const Site& s : sites_) {
    if (!name.empty() && (s.name == name || s.object == name)) out.push_back(&s);
  }
  return out;
}

std::vector<std::string> SiteTable::names() const {
  std::set<std::string> all;
  for (const Site& s : sites_) {
    if (!s.name.empty()) all.insert(s.name);
  }
  return {all.begin(), all.end()};
}

}  // namespace steward::cli
