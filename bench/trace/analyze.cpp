// bench_analyze: how fast one core takes a trace from its file through each detector, run alone.
//
// Prints a line of tab-separated fields for each, under a line of their names. Times are of whole
// passes: opening, reading, decompressing, decoding, analysing. "decode" is a pass without a
// detector. Processor time, user and system: on a quiet machine that is the time that passes, and
// on a busy one it is what the pass would have taken, but for the caches others used.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fmt/format.h>

#include "core/memory/flat_map.h"
#include "trace/reader.h"

#include "analyze/heap_pages.h"
#include "analyze/make_detector.h"
#include "analyze/race_table.h"

namespace {

using namespace steward;

struct Pass {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "bench_analyze: {}\n", message);
  std::exit(1);
}

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Gives `consume` each batch of the first `limit` events.
template <class Consume>
Pass pass(const std::string& path, std::uint64_t limit, Consume consume) {
  Pass p;
  const double start = processor_seconds();
  const trace::Opened in = trace::open_trace(path);
  if (!in.reader) fail(in.error->message);
  while (p.events < limit) {
    auto batch = in.reader->next();
    if (batch.empty()) break;
    batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - p.events));
    consume(batch);
    p.events += batch.size();
  }
  p.seconds = processor_seconds() - start;
  if (in.reader->error()) fail(in.reader->error()->message);
  p.bytes = in.reader->bytes_read();
  return p;
}

struct Census {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  std::uint64_t threads = 0;
  std::uint64_t variables = 0;  // distinct addresses of accesses
};

Census census(const std::string& path, std::uint64_t limit) {
  analyze::HeapPages pages;
  Pool pool(pages);
  FlatMap<std::uint64_t, bool> variables(pool);
  FlatMap<std::uint64_t, bool> threads(pool);
  Census c;
  const Pass p = pass(path, limit, [&](std::span<const Event> events) {
    for (const Event& e : events) {
      if (e.is_access()) variables.get(e.address) = true;
      threads.get(raw(e.thread)) = true;
    }
  });
  c.events = p.events;
  c.bytes = p.bytes;
  c.threads = threads.size();
  c.variables = variables.size();
  return c;
}

struct Row {
  std::string detector;
  std::vector<double> seconds;
  std::size_t peak = 0;
  double mean = 0;  // bytes of state, over the batches
  std::size_t racy_variables = 0;
};

void print(const Census& c, Row row) {
  std::sort(row.seconds.begin(), row.seconds.end());
  const auto ns = [&](double s) { return s * 1e9 / static_cast<double>(c.events); };
  const std::size_t n = row.seconds.size();
  const double median = (row.seconds[(n - 1) / 2] + row.seconds[n / 2]) / 2;
  fmt::print("{}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{}\t{:.0f}\t{}\t{:.3f}\n", row.detector,
             c.threads, c.events, c.variables, n, ns(median), ns(row.seconds.front()),
             ns(row.seconds.back()), row.peak, row.mean, row.racy_variables,
             static_cast<double>(c.bytes) / static_cast<double>(c.events));
  std::fflush(stdout);
}

Row measure_decode(const std::string& path, std::uint64_t limit, unsigned repeat) {
  Row row{.detector = "decode", .seconds = {}};
  for (unsigned i = 0; i < repeat; ++i) {
    std::uint64_t sum = 0;
    row.seconds.push_back(pass(path, limit, [&](std::span<const Event> events) {
                            sum += raw(events.back().thread);
                          }).seconds);
  }
  return row;
}

Row measure(const analyze::DetectorSpec& spec, const std::string& path, std::uint64_t limit,
            unsigned repeat, bool stats) {
  Row row{.detector = spec.text, .seconds = {}};
  for (unsigned i = 0; i < repeat; ++i) {
    const auto detector = analyze::make_detector(spec);
    analyze::RaceTable races;
    double memory = 0;
    double batches = 0;
    row.seconds.push_back(pass(path, limit, [&](std::span<const Event> events) {
                            detector->process(events, races);
                            memory += static_cast<double>(detector->memory());
                            ++batches;
                          }).seconds);
    row.peak = detector->peak_memory();
    row.mean = memory / batches;
    row.racy_variables = races.racy_variables();
    if (stats && i == 0) {
      detector->for_each_stat([](const Stat& s) {
        fmt::print(stderr, "{:<42} {:>14} {:>14}\n", s.name, s.outside, s.sampling);
      });
    }
  }
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  std::string detectors = "decode,fasttrack";
  std::uint64_t limit = ~std::uint64_t{0};
  unsigned repeat = 3;
  bool header = true;
  bool stats = false;
  CLI::App app{"Times detectors over a trace, each alone", "bench_analyze"};
  app.add_option("trace", path)->required();
  app.add_option("--detectors", detectors, "with commas between; decode: none")
      ->capture_default_str();
  app.add_option("--events", limit, "analyse a prefix of this many events");
  app.add_option("--repeat", repeat)->capture_default_str()->check(CLI::PositiveNumber);
  app.add_flag("!--no-header", header);
  app.add_flag("--stats", stats, "counters of each detector, on standard error");
  app.footer(analyze::kSpecHelp);
  CLI11_PARSE(app, argc, argv);

  bool decode = false;
  if (detectors.starts_with("decode")) {
    decode = true;
    detectors.erase(
        0, detectors.find(',') == std::string::npos ? detectors.size() : detectors.find(',') + 1);
  }
  analyze::SpecResult specs;
  if (!detectors.empty()) specs = analyze::parse_specs(detectors);
  if (!specs.error.empty()) fail(specs.error);

  if (header) {
    fmt::print(
        "detector\tthreads\tevents\tvariables\truns\tns\tns_min\tns_max\tpeak_bytes\tmean_bytes\t"
        "racy_variables\tbytes_per_event\n");
  }
  const Census c = census(path, limit);  // and the file is in memory from here on
  if (decode) print(c, measure_decode(path, limit, repeat));
  for (const auto& spec : specs.specs) print(c, measure(spec, path, limit, repeat, stats));
  return 0;
}
