#include "cli/run_check.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/shared_libraries.h"
#include "report/elf_file.h"

namespace steward::cli {

namespace {

using report::ElfFacts;
using report::FileKind;

bool is_file(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0 && !S_ISDIR(st.st_mode);
}

std::string on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (true) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::string file = fmt::format("{}/{}", folder.empty() ? "." : folder, program);
    if (is_file(file) && ::access(file.c_str(), X_OK) == 0) return file;
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
}

bool library_is_instrumented(const std::string& path) {
  for (const std::string& library : libraries_of(path)) {
    const ElfFacts facts = report::read_elf(library);
    if (facts.imports_tsan && !facts.defines_tsan) return true;
  }
  return false;
}

std::optional<Refusal> refuse_elf(const std::string& program, const std::string& path,
                                  const ElfFacts& facts, bool force) {
  if (!facts.is_64bit || !facts.is_x86_64) {
    return Refusal{kExitFailed,
                   fmt::format("{} is {}; Steward looks into 64-bit x86 programs only", program,
                               facts.is_64bit ? "for another processor" : "a 32-bit program")};
  }
  if (facts.defines_tsan) {
    return Refusal{
        kExitFailed,
        fmt::format("{} has ThreadSanitizer's own runtime linked into it; relink with "
                    "'clang++ -fsanitize=thread -shared-libsan ...' or 'steward c++ ...'",
                    program)};
  }
  if (force) return std::nullopt;
  if (!facts.is_dynamic) {
    return Refusal{kExitFailed,
                   fmt::format("{} is statically linked, so no runtime can be loaded into it; "
                               "relink it without -static (--force runs it unchecked)",
                               program)};
  }
  if (!facts.imports_tsan && !library_is_instrumented(path)) {
    return Refusal{kExitFailed,
                   fmt::format("{} was not built with -fsanitize=thread; rebuild with: steward c++ "
                               "... (--force runs it anyway)",
                               program)};
  }
  return std::nullopt;
}

}  // namespace

Checked check_program(const std::string& program, bool force) {
  Checked out;
  const auto refuse = [&](int code, std::string line) {
    out.refusal = Refusal{code, std::move(line)};
    return out;
  };
  const bool by_path = program.find('/') != std::string::npos;
  out.path = by_path ? program : on_path(program);
  if (out.path.empty()) {
    return refuse(kExitNotFound,
                  fmt::format("{}: not found on PATH{}", program,
                              is_file(program) ? fmt::format("; did you mean ./{}?", program)
                                               : std::string()));
  }
  const ElfFacts facts = report::read_elf(out.path);
  if (facts.kind == FileKind::Missing) {
    return refuse(kExitNotFound, fmt::format("{}: {}", program, std::strerror(facts.error)));
  }
  if (facts.error == EISDIR) return refuse(kExitCannotExecute, program + ": is a folder");
  if (::access(out.path.c_str(), X_OK) != 0) {
    return refuse(kExitCannotExecute, fmt::format("{}: {}; if it is a program: chmod +x {}",
                                                  program, std::strerror(errno), program));
  }
  out.is_script = facts.kind == FileKind::Script;
  if (facts.kind == FileKind::Other) {
    return refuse(
        kExitCannotExecute,
        fmt::format("{}: neither an ELF program nor a script that starts with #!", program));
  }
  if (facts.kind == FileKind::Elf) out.refusal = refuse_elf(program, out.path, facts, force);
  return out;
}

}  // namespace steward::cli
