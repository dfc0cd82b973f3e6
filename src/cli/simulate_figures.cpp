#include "cli/simulate_figures.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "cli/numbers.h"
#include "cli/simulate_result.h"
#include "cli/svg_chart.h"

namespace steward::cli {

namespace {

constexpr const char* kAsync = "machine.async_cores";
constexpr const char* kL3 = "l3.size";

std::string short_name(const std::string& trace) {
  return std::filesystem::path(trace).stem().string();
}

std::vector<std::string> names(const std::vector<TraceRun>& runs) {
  std::vector<std::string> all;
  for (const TraceRun& r : runs) all.push_back(short_name(r.trace));
  return all;
}

Chart figure7(const std::vector<TraceRun>& runs) {
  Chart c{"Figure 7: RADISH's overhead in % of FastTrack's (below: both times over no detection)",
          "% of FastTrack's overhead",
          {},
          {{"FastTrack", {}}, {"RADISH", {}}},
          false};
  for (const TraceRun& r : runs) {
    const MachineRun* none = r.machine(sim::Kind::None);
    const double fasttrack = overhead(r.machine(sim::Kind::FastTrack), none);
    const double radish = overhead(r.machine(sim::Kind::Radish), none);
    c.categories.push_back(
        fmt::format("{}\n{:.1f}x / {:.2f}x", short_name(r.trace), 1 + fasttrack, 1 + radish));
    c.series[0].values.push_back(100);
    c.series[1].values.push_back(100 * radish / fasttrack);
  }
  return c;
}

Chart sweep_figure(const std::vector<TraceRun>& runs, const char* key, const char* title,
                   const char* what) {
  Chart c{title, "overhead over no detection, %", names(runs), {}, false};
  for (const TraceRun& r : runs) {
    for (const auto& [sweep, values] : r.sweeps) {
      if (sweep.key != key) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (c.series.size() <= i) c.series.push_back({values[i].value + what, {}});
        c.series[i].values.push_back(100 * overhead(&values[i].radish, &values[i].none));
      }
    }
  }
  return c;
}

Chart figure10(const std::vector<TraceRun>& runs) {
  Chart c{
      "Figure 10: accesses by what dealt with them", "share of accesses", names(runs), {}, true};
  for (const Mechanism& m : kMechanisms) {
    Series s{m.name, {}};
    double sum = 0;
    for (const TraceRun& r : runs) {
      const MachineRun* radish = r.machine(sim::Kind::Radish);
      s.values.push_back(radish == nullptr
                             ? std::nan("")
                             : share(radish->counts.*m.count, radish->counts.accesses));
      if (!std::isnan(s.values.back())) sum += s.values.back();
    }
    if (sum > 0) c.series.push_back(std::move(s));
  }
  return c;
}

std::string figure11(const TraceRun& r) {
  const MachineRun* radish = r.machine(sim::Kind::Radish);
  Chart c{
      "Figure 11: contents of all caches, " + short_name(r.trace),
      "share of lines",
      {},
      {{"data", {}}, {"compact metadata", {}}, {"expanded metadata", {}}, {"empty", {}, "#e4e4e4"}},
      true};
  for (const sim::ContentsSample& s : radish->samples) {
    const auto all = static_cast<double>(radish->cache_lines);
    const double data = static_cast<double>(s.contents.data) / all;
    const double compact = static_cast<double>(s.contents.compact) / all;
    const double expanded = static_cast<double>(s.contents.expanded) / all;
    c.series[0].values.push_back(data);
    c.series[1].values.push_back(compact);
    c.series[2].values.push_back(expanded);
    c.series[3].values.push_back(1 - data - compact - expanded);
  }
  return area_chart(c, grouped(radish->cycles) + " cycles");
}

}  // namespace

std::vector<Sweep> figure_sweeps() {
  return {{kAsync, {"0", "1", "2", "3"}}, {kL3, {"4M", "8M", "16M", "32M", "64M"}}};
}

std::optional<std::string> write_figures(const std::string& folder,
                                         const std::vector<TraceRun>& runs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fmt::format("{}: {}", folder, error.message());
  std::optional<std::string> failed;
  const auto write = [&](const std::string& file, const std::string& text) {
    const std::string path = folder + "/" + file;
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out && !failed) failed = fmt::format("{}: {}", path, std::strerror(errno));
  };
  write("figure7.svg", bar_chart(figure7(runs)));
  write("figure8.svg",
        bar_chart(sweep_figure(runs, kAsync, "Figure 8: cores for asynchronous checks", " spare")));
  write("figure9.svg", bar_chart(sweep_figure(runs, kL3, "Figure 9: size of the shared L3", "")));
  write("figure10.svg", bar_chart(figure10(runs)));
  for (const TraceRun& r : runs) {
    if (const MachineRun* m = r.machine(sim::Kind::Radish); m != nullptr && m->samples.size() > 1) {
      write("figure11-" + short_name(r.trace) + ".svg", figure11(r));
    }
  }
  return failed;
}

}  // namespace steward::cli
