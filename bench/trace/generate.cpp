// bench_generate: writes a synthetic execution as a binary trace.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "trace/writer.h"

#include "workload.h"

namespace {

using namespace steward;

int generate(const bench::Shape& shape, const std::string& path, int level) {
  trace::OpenedSink out = trace::open_sink(path);
  if (!out.sink) {
    fmt::print(stderr, "bench_generate: {}\n", out.error->message);
    return 1;
  }
  const trace::Names names;
  const auto writer = trace::make_binary_writer(std::move(out.sink), names, {.zstd_level = level});
  bench::Workload workload(shape);
  std::vector<Event> events;
  while (writer->ok() && workload.next(events)) {
    writer->write(events);
    events.clear();
  }
  writer->finish();
  if (writer->error()) {
    fmt::print(stderr, "bench_generate: {}\n", writer->error()->message);
    return 1;
  }
  fmt::print("{}: {} events, {} threads, {:.1f} MB, {:.2f} bytes/event\n", path, writer->events(),
             shape.threads, static_cast<double>(writer->bytes()) / 1e6,
             static_cast<double>(writer->bytes()) / static_cast<double>(writer->events()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Shape shape;
  std::string path;
  int level = 1;
  CLI::App app{"Writes a synthetic execution as a binary trace", "bench_generate"};
  app.add_option("output", path, "the trace to write")->required();
  app.add_option("--events", shape.events, "events, at least")->capture_default_str();
  app.add_option("--threads", shape.threads)->capture_default_str()->check(CLI::Range(1, 4096));
  app.add_option("--locks", shape.locks)->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--variables", shape.variables, "8-byte words of data")->capture_default_str();
  app.add_option("--sync", shape.sync, "share of synchronisation operations")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  app.add_option("--burst", shape.burst, "events a thread runs at a time")->capture_default_str();
  app.add_option("--races", shape.races, "unguarded variables")->capture_default_str();
  app.add_option("--seed", shape.seed)->capture_default_str();
  app.add_option("--zstd", level, "compression level; 0: none")->capture_default_str();
  app.add_flag("--functions", shape.functions, "Enter and Exit events as well");
  app.add_flag("!--no-sites", shape.sites, "no source sites");
  CLI11_PARSE(app, argc, argv);
  return generate(shape, path, level);
}
