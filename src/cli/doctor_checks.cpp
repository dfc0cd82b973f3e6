#include "cli/doctor_checks.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <linux/membarrier.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/compiler.h"
#include "cli/exit_code.h"
#include "cli/openmp.h"
#include "cli/run_check.h"
#include "cli/run_folder.h"
#include "cli/runtime_library.h"
#include "cli/shared_libraries.h"
#include "report/elf_file.h"
#include "report/frames.h"
#include "report/symbolize.h"

namespace steward::cli {

namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// The first word of a file of /proc; empty: there is no such file.
std::string setting(const char* path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

Finding check_runtimes() {
  const std::vector<std::string> names = tools();
  if (names.empty()) {
    return {Health::Bad, "runtime", no_such_tool(kDefaultTool),
            "install Steward as a whole (make install), or set STEWARD_LIBDIR"};
  }
  return {
      Health::Good, "runtime", fmt::format("{}: {}", library_root(), fmt::join(names, ", ")), {}};
}

Finding check_compiler() {
  const std::vector<std::string> compiler = find_compiler(true);
  if (compiler.empty()) {
    return {Health::Bad, "compiler", "none found",
            "install clang-19 or g++, or set STEWARD_CXX and STEWARD_CC"};
  }
  const std::string version = first_line(version_of(compiler));
  if (version.empty()) {
    return {Health::Bad, "compiler", fmt::format("{} does not run", fmt::join(compiler, " ")),
            "set STEWARD_CXX and STEWARD_CC to compilers that do"};
  }
  return {Health::Good, "compiler", fmt::format("{}: {}", fmt::join(compiler, " "), version), {}};
}

Finding check_plugin() {
  const std::vector<std::string> compiler = find_compiler(true);
  const std::string version = compiler.empty() ? "" : clang_version(compiler);
  if (version.empty()) {
    return {Health::Doubtful, "plugin", "the compiler is no clang: every access calls the detector",
            "clang-19 checks inline, which is faster: install it, or set STEWARD_CXX"};
  }
  const std::string plugin = plugin_for(compiler);
  if (plugin.empty()) {
    return {Health::Doubtful, "plugin",
            fmt::format("none for clang {} in {}/pass: every access calls the detector", version,
                        library_root()),
            "build Steward with llvm-19-dev installed and use clang-19 (and no STEWARD_PASS=0)"};
  }
  return {Health::Good, "plugin", plugin, {}};
}

Finding check_symbolizer() {
  const std::string program = report::find_llvm_symbolizer();
  if (!program.empty()) return {Health::Good, "symboliser", program, {}};
  return {Health::Good, "symboliser", "libdw (no llvm-symbolizer on PATH; either will do)", {}};
}

Finding check_aslr() {
  const std::string aslr = setting("/proc/sys/kernel/randomize_va_space");
  const std::string bits = setting("/proc/sys/vm/mmap_rnd_bits");
  return {Health::Good,
          "ASLR",
          fmt::format("randomize_va_space={}, mmap_rnd_bits={}: any will do",
                      aslr.empty() ? "?" : aslr, bits.empty() ? "?" : bits),
          {}};
}

Finding check_address_space() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur != RLIM_INFINITY) {
    return {Health::Bad, "address space",
            fmt::format("limited to {} MB: the shadow memory needs far more (of addresses, not of "
                        "memory)",
                        limit.rlim_cur >> 20),
            "ulimit -v unlimited"};
  }
  if (setting("/proc/sys/vm/overcommit_memory") == "2") {
    return {Health::Bad, "address space", "the system does not overcommit memory",
            "sysctl vm.overcommit_memory=0"};
  }
  return {Health::Good, "address space", "not limited", {}};
}

Finding check_membarrier() {
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    return {Health::Good, "membarrier", "there", {}};
  }
  return {Health::Doubtful, "membarrier",
          "not there (an old kernel, or a container that forbids it): programs run slower",
          "allow membarrier(2) in the container's seccomp profile"};
}

Finding check_ptrace() {
  const std::string scope = setting("/proc/sys/kernel/yama/ptrace_scope");
  if (scope.empty() || scope == "0" || scope == "1") {
    return {Health::Good, "ptrace", "Steward needs none; a debugger may be used", {}};
  }
  return {
      Health::Good,
      "ptrace",
      fmt::format("ptrace_scope={}: no debugger for others than root; Steward needs none", scope),
      {}};
}

Finding check_folder() {
  const char* given = std::getenv("TMPDIR");
  const std::string folder = given != nullptr && *given != '\0' ? given : "/tmp";
  RunFolder scratch;
  if (const std::string failed = scratch.make(); !failed.empty()) {
    return {Health::Bad, "records", failed, "set TMPDIR to a folder that can be written to"};
  }
  struct statvfs st {};
  const bool known = ::statvfs(folder.c_str(), &st) == 0;
  const std::uint64_t free = known ? static_cast<std::uint64_t>(st.f_bavail) * st.f_frsize : 0;
  if (known && free < (100U << 20)) {
    return {Health::Doubtful, "records", fmt::format("{} has {} MB left", folder, free >> 20),
            "set TMPDIR to a folder with more room"};
  }
  return {Health::Good, "records", fmt::format("{} can be written to", folder), {}};
}

// The C and C++ libraries, whose calls are intercepted.
bool is_system_library(std::string_view path) {
  const std::string_view name = report::base_name(path);
  constexpr std::string_view kKnown[] = {
      "libc.so",     "libm.so",      "libpthread.so", "libdl.so",     "librt.so",
      "libgcc_s.so", "libstdc++.so", "libc++.so",     "libc++abi.so", "libunwind.so",
      "ld-linux",    "libresolv.so", "libutil.so",    "libatomic.so"};
  return std::any_of(std::begin(kKnown), std::end(kKnown),
                     [&](std::string_view known) { return name.starts_with(known); });
}

// Whose threads wait for each other by means of its own.
bool is_threading_library(std::string_view path) {
  return report::base_name(path).starts_with("libtbb.so");
}

Finding check_openmp(const OpenMp& openmp) {
  if (openmp.order == OpenMp::Order::Told) {
    return {Health::Good,
            "OpenMP",
            fmt::format("{} tells what it orders{}", openmp.runtime,
                        openmp.replaces ? ", in place of gcc's libgomp" : ""),
            {}};
  }
  if (openmp.order == OpenMp::Order::Theirs) {
    return {Health::Good, "OpenMP", "as OMP_TOOL or OMP_TOOL_LIBRARIES says", {}};
  }
  return {Health::Doubtful, "OpenMP", "what it orders is not seen", say(openmp)};
}

Finding check_libraries(const std::string& path) {
  std::vector<std::string> seen;
  std::vector<std::string> unseen;
  std::vector<std::string> threading;
  for (const std::string& library : libraries_of(path)) {
    if (report::is_runtime(library) || is_system_library(library) || is_of_openmp(library))
      continue;
    const report::ElfFacts facts = report::read_elf(library);
    const std::string name(report::base_name(library));
    (facts.imports_tsan ? seen : unseen).push_back(name);
    if (!facts.imports_tsan && is_threading_library(library)) threading.push_back(name);
  }
  if (unseen.empty()) {
    return {Health::Good,
            "libraries",
            seen.empty() ? "only those of the system"
                         : fmt::format("all instrumented: {}", fmt::join(seen, ", ")),
            {}};
  }
  std::string saw = fmt::format("not instrumented: {}", fmt::join(unseen, ", "));
  if (!seen.empty()) saw += fmt::format("; instrumented: {}", fmt::join(seen, ", "));
  std::string advice =
      "accesses inside them are not checked, and order they make by means of their own is not "
      "seen; "
      "rebuild with 'steward c++' those that share memory between threads";
  if (!threading.empty()) {
    advice += fmt::format(
        "; {} makes threads wait in ways that are not seen: expect false reports, "
        "or suppress them with called_from_lib:",
        fmt::join(threading, ", "));
  }
  return {Health::Doubtful, "libraries", saw, advice};
}

}  // namespace

Findings check_installation() {
  return {check_runtimes(), check_compiler(), check_plugin(), check_symbolizer()};
}

Findings check_system() {
  return {check_aslr(), check_address_space(), check_membarrier(), check_ptrace(), check_folder()};
}

Findings check_by_trying() {
  constexpr const char* kProgram = R"(#include <pthread.h>
int shared;
static void* work(void* unused) { shared = 1; return unused; }
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0) != 0) return 1;
  shared = 2;
  return pthread_join(thread, 0);
}
)";
  RunFolder scratch;
  if (!scratch.make().empty()) return {};  // said already
  const std::string base = scratch.path() + "/try";
  std::ofstream(base + ".c") << kProgram;
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  const auto run = [&](const std::vector<std::string>& words) {
    const int status =
        std::system(fmt::format("{} >'{}.log' 2>&1 </dev/null", quoted(words), base).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const auto said = [&] {
    std::string text;
    std::ifstream log(base + ".log");
    std::getline(log, text);
    return text;
  };
  if (run({self, "cc", "-O1", base + ".c", "-o", base, "-pthread"}) != 0) {
    return {{Health::Bad, "a trial", fmt::format("'steward cc' failed: {}", said()),
             "see 'compiler' above"}};
  }
  // The loop of the ways it can be scheduled is not ours to choose; the race is there in all.
  const int code = run({self, "run", "--no-color", base});
  if (code != kExitRaces) {
    return {{Health::Bad, "a trial",
             fmt::format("a program with a race ended with {} instead of {}: {}", code, kExitRaces,
                         said()),
             "if nothing above explains it, this is a fault in Steward"}};
  }
  return {{Health::Good, "a trial", "a small program was built, and its race was found", {}}};
}

Findings check_binary(const std::string& program) {
  const Checked checked = check_program(program, false);
  if (checked.refusal) return {{Health::Bad, "program", checked.refusal->line, {}}};
  if (checked.is_script) {
    return {{Health::Good, "program",
             fmt::format("{} is a script: what it starts is checked", program),
             "give the programs it starts to 'steward doctor' one by one"}};
  }
  const report::ElfFacts facts = report::read_elf(checked.path);
  Findings out;
  out.push_back(
      facts.imports_tsan
          ? Finding{Health::Good, "program", fmt::format("{} is instrumented", program), {}}
          : Finding{Health::Doubtful, "program",
                    fmt::format("{} is not instrumented, but a library of it is", program),
                    "rebuild the program with 'steward c++' to check its own code too"});
  if (!facts.compiler.empty()) out.push_back({Health::Good, "built by", facts.compiler, {}});
  out.push_back(facts.has_debug_info
                    ? Finding{Health::Good, "debug info", "there: reports will have lines", {}}
                    : Finding{Health::Doubtful, "debug info",
                              "none: reports will have functions at best, no lines",
                              "rebuild with -g ('steward c++' adds it), and do not strip"});
  out.push_back(check_libraries(checked.path));
  const OpenMp openmp = look_for_openmp(checked.path);
  if (openmp.order != OpenMp::Order::None) out.push_back(check_openmp(openmp));
  return out;
}

}  // namespace steward::cli
