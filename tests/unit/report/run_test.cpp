// 'steward run' and 'steward cc' as a whole, with a stand-in for the runtime library.
#include "cli/run.h"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>

#include "cli/compile.h"

#include "sample.h"

namespace steward::cli {
namespace {

using report::Folder;
using report::have;
using report::sh;
using report::source;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

std::string slurp(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Run : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!have("gcc")) return;
    folder_ = new Folder;
    std::filesystem::create_directories(*folder_ / "lib/fasttrack");
    std::filesystem::create_directories(*folder_ / "tmp");
    ready_ = sh("gcc -shared -fPIC -O1 -Wl,-soname,libtsan.so.2 -o " +
                (*folder_ / "lib/fasttrack/libtsan.so.2") + " " + source("fake_runtime.c") +
                " && ln -s libtsan.so.2 " + (*folder_ / "lib/fasttrack/libtsan.so"));
    racy_ = *folder_ / "racy";
    ready_ = ready_ && steward({"cc", "-O1", source("racy.c"), "-o", racy_}).code == 0;
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (!ready_) GTEST_SKIP() << "no compiler";
  }

  // In a process of its own, as the program would be.
  static pid_t start(std::vector<std::string> words, const std::string& options = {},
                     const std::string& libraries = "lib") {
    const std::string out = *folder_ / "out";
    const std::string err = *folder_ / "err";
    std::ofstream(err).close();
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::dup2(::open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
    ::dup2(::open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
    ::setenv("STEWARD_LIBDIR", (*folder_ / libraries).c_str(), 1);
    ::setenv("STEWARD_OPTIONS", options.c_str(), 1);
    ::setenv("TMPDIR", (*folder_ / "tmp").c_str(), 1);
    ::unsetenv("TSAN_OPTIONS");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int argc = static_cast<int>(words.size());
    const int code =
        words[0] == "run" ? run_main(argc, argv.data()) : compile_main(argc, argv.data());
    std::fflush(nullptr);
    ::_exit(code);
  }

  static Outcome finish(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(*folder_ / "out"),
            slurp(*folder_ / "err")};
  }

  static Outcome steward(const std::vector<std::string>& words, const std::string& options = {}) {
    return finish(start(words, options));
  }

  static bool nothing_left_behind() { return std::filesystem::is_empty(*folder_ / "tmp"); }

  static Folder* folder_;
  static std::string racy_;
  static bool ready_;
};
Folder* Run::folder_ = nullptr;
std::string Run::racy_;
bool Run::ready_ = false;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Run, RacesAreReportedAndTheExitCodeSaysSo) {
  const Outcome o = steward({"run", racy_});
  EXPECT_EQ(o.code, 66) << o.err;
  EXPECT_TRUE(has(o.err, "steward: data race on global 'counter': write by T")) << o.err;
  EXPECT_TRUE(has(o.err, "counter += by;\n")) << o.err;
  EXPECT_TRUE(has(o.err, "/racy.c:13 in bump\n")) << o.err;
  EXPECT_TRUE(o.err.ends_with("steward: 1 data race\n")) << o.err;
  EXPECT_TRUE(nothing_left_behind());
}

TEST_F(Run, ExitCodes) {
  EXPECT_EQ(steward({"run", "--exitcode", "7", racy_}).code, 7);
  EXPECT_EQ(steward({"run", racy_}, "exitcode=8").code, 8);
  EXPECT_EQ(steward({"run", "--exitcode=7", racy_}, "exitcode=8").code, 7);
  EXPECT_EQ(steward({"run", racy_, "--exit", "3"}).code, 3);
  EXPECT_EQ(steward({"run", racy_}, "report_bugs=0").code, 0);
  EXPECT_EQ(steward({"run", "--bogus", racy_}).code, 2);
  EXPECT_EQ(steward({"run"}).code, 2);
  EXPECT_EQ(steward({"run", "--tool", "none", racy_}).code, 1);
  EXPECT_EQ(steward({"run", "--suppressions", "/no/file", racy_}).code, 1);
  EXPECT_EQ(steward({"run", "--json", "/no/file", racy_}).code, 1);
}

TEST_F(Run, ASignalKeepsTheReport) {
  const Outcome o = steward({"run", racy_, "--segv"});
  EXPECT_EQ(o.code, 128 + SIGSEGV);
  EXPECT_TRUE(has(o.err, "data race on global 'counter'"));
  EXPECT_TRUE(has(o.err, "racy was killed by SIGSEGV")) << o.err;
  EXPECT_TRUE(has(o.err, "the report is incomplete")) << o.err;
}

TEST_F(Run, TheProgramsWordsAreItsOwn) {
  const std::string expected = "[--json][x][--][--help][]";
  EXPECT_EQ(steward({"run", racy_, "--arguments", "--json", "x", "--", "--help", ""}).out,
            expected);
  EXPECT_EQ(
      steward({"run", "--no-color", "--", racy_, "--arguments", "--json", "x", "--", "--help", ""})
          .out,
      expected);
}

TEST_F(Run, Json) {
  const std::string file = *folder_ / "report.json";
  EXPECT_EQ(steward({"run", "--json", file, racy_}).code, 66);
  const auto j = nlohmann::json::parse(slurp(file));
  EXPECT_EQ(j["races"].size(), 1U);
  EXPECT_EQ(j["races"][0]["memory"]["symbol"], "counter");
  EXPECT_EQ(j["run"]["exit_code"], 0);
  EXPECT_EQ(j["incomplete"], false);
  EXPECT_EQ(nlohmann::json::parse(steward({"run", "--json", "-", racy_}).out)["version"], 1);
}

TEST_F(Run, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const Outcome o = steward({"run", "--json", "/dev/full", racy_});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(has(o.err, "/dev/full: No space left on device")) << o.err;
}

TEST_F(Run, LogAndTsanStyle) {
  const std::string log = *folder_ / "log";
  const Outcome o = steward({"run", "--log", log, "--report-style", "tsan", racy_});
  EXPECT_TRUE(has(slurp(log), "WARNING: ThreadSanitizer: data race (pid="));
  EXPECT_EQ(o.err, "steward: 1 data race: see " + log + "\n");
}

TEST_F(Run, Suppressions) {
  const std::string file = folder_->write("supp", "race: work -> bump\n");
  const Outcome o = steward({"run", "--suppressions", file, "--print-suppressions", racy_});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(has(o.err, "0 data races; 1 suppressed")) << o.err;
  EXPECT_TRUE(has(o.err, "       1 race: work -> bump (")) << o.err;
  // as ThreadSanitizer has it: beside the program
  EXPECT_EQ(steward({"run", racy_}, "suppressions=supp").code, 0);
}

TEST_F(Run, HaltOnErrorWithSuppressions) {
  const std::string file = folder_->write("other", "race:elsewhere\n");
  const Outcome o = steward({"run", "--suppressions", file, racy_, "--wait"}, "halt_on_error=1");
  EXPECT_EQ(o.code, 66);
  EXPECT_TRUE(has(o.err, "was stopped at its first race")) << o.err;
}

TEST_F(Run, SignalsArePassedOn) {
  const pid_t child = start({"run", racy_, "--wait"});
  // the race is printed while the target still runs
  const std::string err = *folder_ / "err";
  for (int i = 0; i < 1000 && !has(slurp(err), "SUMMARY"); ++i) ::usleep(10'000);
  EXPECT_TRUE(has(slurp(err), "SUMMARY"));
  ::kill(child, SIGTERM);
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 128 + SIGTERM);
  EXPECT_TRUE(has(o.err, "was killed by SIGTERM"));
  EXPECT_TRUE(nothing_left_behind());
}

TEST_F(Run, Scripts) {
  const std::string script = folder_->write("script", "#!/bin/sh\n" + racy_ + "\n" + racy_ + "\n");
  ::chmod(script.c_str(), 0755);
  const Outcome o = steward({"run", script});
  EXPECT_EQ(o.code, 66);
  EXPECT_TRUE(has(o.err, "1 data race, seen 2 times\n")) << o.err;
  const std::string idle = folder_->write("idle", "#!/bin/sh\nexit 0\n");
  ::chmod(idle.c_str(), 0755);
  const Outcome nothing = steward({"run", idle});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_TRUE(has(nothing.err, "nothing was checked")) << nothing.err;
}

TEST_F(Run, ALibraryBelowAFolderWithABlank) {
  std::filesystem::create_directories(*folder_ / "a b:c");
  std::filesystem::copy(*folder_ / "lib", *folder_ / "a b:c",
                        std::filesystem::copy_options::recursive);
  const Outcome o = finish(start({"run", racy_}, {}, "a b:c"));
  EXPECT_EQ(o.code, 66) << o.err;
}

TEST_F(Run, EveryCompilerThereIs) {
  for (const char* compiler : {"gcc", "clang-14", "clang-19", "cc"}) {
    if (!have(compiler)) continue;
    const std::string program = *folder_ / compiler;
    ::setenv("STEWARD_CC", compiler, 1);
    const Outcome built = steward({"cc", "-O2", "-Wl,-z,defs", source("racy.c"), "-o", program});
    EXPECT_EQ(built.code, 0) << compiler << built.err;
    EXPECT_EQ(built.err, "") << compiler;
    EXPECT_EQ(steward({"run", program}).code, 66) << compiler;
    // in two steps, without a warning about what is not used
    EXPECT_EQ(steward({"cc", "-Werror", "-c", source("racy.c"), "-o", program + ".o"}).code, 0);
    EXPECT_EQ(steward({"cc", "-Werror", program + ".o", "-o", program}).code, 0) << compiler;
    EXPECT_EQ(steward({"run", program}).code, 66) << compiler;
    const Outcome version = steward({"cc", "--version"});
    EXPECT_EQ(version.code, 0) << compiler;
    EXPECT_NE(version.out, "") << compiler;
    EXPECT_EQ(steward({"cc", "-static", source("racy.c")}).code, 1);
  }
  ::unsetenv("STEWARD_CC");
}

}  // namespace
}  // namespace steward::cli
