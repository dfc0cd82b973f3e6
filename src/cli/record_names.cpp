#include "cli/record_names.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace steward::cli {

namespace {

std::string in_module(const report::Frame& f) {
  if (f.module.empty()) return fmt::format("{:#x}", f.pc);
  return fmt::format("{}+{:#x}", std::filesystem::path(f.module).filename().string(), f.offset);
}

// Names by libdw: starting llvm-symbolizer takes longer than many a program runs.
report::SymbolizeOptions in_process() {
  report::SymbolizeOptions options;
  options.external = false;
  return options;
}

}  // namespace

RecordedCode::RecordedCode(trace::Names& names, std::mutex& lock)
    : names_(names),
      lock_(lock),
      symbolizer_(report::open_symbolizer(in_process())),
      namer_(*symbolizer_) {}

void RecordedCode::read_modules() {
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(read_));
  std::string piece(64 << 10, '\0');
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    const auto got = static_cast<std::size_t>(in.gcount());
    read_ += got;
    lines_.feed(std::string_view(piece.data(), got));
    while (const auto line = lines_.next()) {
      const auto parsed = report::parse_record(*line);
      if (!parsed.record) continue;
      if (const auto* m = std::get_if<report::ModuleRecord>(&*parsed.record)) modules_.add(*m);
    }
  }
}

report::Stack RecordedCode::frames(std::uint64_t pc) {
  if (modules_.find(pc - 1) == nullptr) read_modules();
  return namer_.stack(modules_, {pc});
}

SiteId RecordedCode::find_site(std::uint64_t pc) {
  const auto [it, fresh] = sites_.try_emplace(pc, kNoSite);
  if (!fresh) return it->second;
  const report::Stack stack = frames(pc);
  const report::Frame& f = stack.front();
  const std::string name =
      f.file.empty() || f.line == 0 ? in_module(f) : fmt::format("{}:{}", f.file, f.line);
  const std::lock_guard guard(lock_);
  return it->second = SiteId{static_cast<std::uint32_t>(names_.sites().intern(name))};
}

FunctionId RecordedCode::function(std::uint64_t pc) {
  const auto [it, fresh] = functions_.try_emplace(pc, FunctionId{});
  if (!fresh) return it->second;
  std::string name = "?";
  if (pc != 0) {
    const report::Stack stack = frames(pc);
    const report::Frame& f = stack.back();  // what inlined code is in
    name = f.function.empty() ? in_module(f) : f.function;
  }
  const std::lock_guard guard(lock_);
  return it->second = FunctionId{static_cast<std::uint32_t>(names_.functions().intern(name))};
}

}  // namespace steward::cli
