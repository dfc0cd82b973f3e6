// Writes a kernel's execution as a trace for 'steward simulate'.
//   bench_sim_generate KERNEL FILE [--threads N] [--scale N]     or --list
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "trace/sink.h"
#include "trace/writer.h"

#include "kernels.h"

int main(int argc, char** argv) {
  using namespace steward;
  CLI::App app{"Writes a kernel's execution as a trace for 'steward simulate'"};
  std::string name, path;
  unsigned threads = 8, scale = 1;
  bool list = false;
  app.add_option("kernel", name, "which kernel");
  app.add_option("output", path, "the trace to write");
  app.add_option("--threads", threads, "threads besides main")->check(CLI::Range(1, 1024));
  app.add_option("--scale", scale, "how much work")->check(CLI::Range(1, 1000));
  app.add_flag("--list", list, "list the kernels");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    for (const bench::Kernel& k : bench::kernels()) fmt::print("{:<10} {}\n", k.name, k.about);
    return 0;
  }
  for (const bench::Kernel& k : bench::kernels()) {
    if (name != k.name) continue;
    auto sink = trace::open_sink(path);
    if (sink.error) {
      fmt::print(stderr, "bench_sim_generate: {}\n", sink.error->message);
      return 1;
    }
    const trace::Names names;
    const auto writer = trace::make_binary_writer(std::move(sink.sink), names);
    std::vector<Event> batch;
    bench::World world([&](const Event& e) {
      batch.push_back(e);
      if (batch.size() < 65536) return;
      writer->write(batch);
      batch.clear();
    });
    k.run(world, threads, scale);
    writer->write(batch);
    writer->finish();
    if (writer->error()) {
      fmt::print(stderr, "bench_sim_generate: {}\n", writer->error()->message);
      return 1;
    }
    fmt::print("{}: {} events, {:.2f} bytes an event\n", path, writer->events(),
               static_cast<double>(writer->bytes()) / static_cast<double>(writer->events()));
    return 0;
  }
  fmt::print(stderr, "bench_sim_generate: no kernel '{}'; --list shows them\n", name);
  return 2;
}
