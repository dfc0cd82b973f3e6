#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/run_check.h"
#include "report/elf_file.h"

#include "sample.h"

namespace steward::report {
namespace {

using cli::check_program;

// One set of small programs for all tests.
class Elf : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new Folder;
    folder_->write("a.c", "int x; int main(void) { return x++; }\n");
    folder_->write("l.c", "int y; int bump(void) { return y++; }\n");
    folder_->write("u.c", "int bump(void); int main(void) { return bump(); }\n");
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string build(const std::string& compile, const std::string& name) {
    const std::string out = *folder_ / name;
    return sh("cd " + folder_->path() + " && " + compile + " -o " + out + " 2>/dev/null")
               ? out
               : std::string();
  }

  static std::string refusal(const std::string& program, bool force = false) {
    const auto checked = check_program(program, force);
    return checked.refusal
               ? std::to_string(checked.refusal->exit_code) + " " + checked.refusal->line
               : "";
  }

  static Folder* folder_;
};
Folder* Elf::folder_ = nullptr;

TEST_F(Elf, InstrumentedByGcc) {
  const std::string a = build("gcc -fsanitize=thread -Wl,--build-id a.c", "gcc");
  if (a.empty()) GTEST_SKIP() << "no gcc with libtsan";
  const ElfFacts facts = read_elf(a);
  EXPECT_EQ(facts.kind, FileKind::Elf);
  EXPECT_TRUE(facts.is_64bit);
  EXPECT_TRUE(facts.is_dynamic);
  EXPECT_TRUE(facts.imports_tsan);
  EXPECT_FALSE(facts.defines_tsan);
  EXPECT_EQ(facts.build_id.size(), 40U);
  EXPECT_EQ(facts.needed.at(0), "libtsan.so.2");
  EXPECT_EQ(refusal(a), "");
  ASSERT_TRUE(sh("strip " + a));
  EXPECT_EQ(refusal(a), "");
}

TEST_F(Elf, Plain) {
  const std::string a = build("gcc a.c", "plain");
  ASSERT_NE(a, "");
  EXPECT_EQ(refusal(a), "1 " + a +
                            " was not built with -fsanitize=thread; rebuild with: steward c++ ... "
                            "(--force runs it anyway)");
  EXPECT_EQ(refusal(a, true), "");
}

TEST_F(Elf, PlainWithAnInstrumentedLibrary) {
  if (build("gcc -fsanitize=thread -shared -fPIC l.c", "libl.so").empty()) GTEST_SKIP();
  const std::string a =
      build("gcc u.c -L. -ll -Wl,-rpath," + folder_->path() + " -Wl,--allow-shlib-undefined", "u");
  ASSERT_NE(a, "");
  EXPECT_FALSE(read_elf(a).imports_tsan);
  EXPECT_EQ(refusal(a), "");
}

TEST_F(Elf, StaticTsanOfClang) {
  for (const char* clang : {"clang-19", "clang-14", "clang"}) {
    const std::string a = build(std::string(clang) + " -fsanitize=thread a.c", clang);
    if (a.empty()) continue;
    EXPECT_TRUE(read_elf(a).defines_tsan) << clang;
    EXPECT_NE(refusal(a).find("-shared-libsan"), std::string::npos) << clang;
    const std::string shared =
        build(std::string(clang) + " -fsanitize=thread -shared-libsan a.c", "shared");
    if (shared.empty()) continue;
    EXPECT_EQ(refusal(shared), "") << clang;
  }
}

TEST_F(Elf, Static) {
  const std::string a = build("gcc -static a.c", "static");
  if (a.empty()) GTEST_SKIP() << "no static libc";
  EXPECT_NE(refusal(a).find("is statically linked"), std::string::npos);
}

TEST_F(Elf, OtherFiles) {
  EXPECT_TRUE(refusal(*folder_ / "none").starts_with("127 "));
  EXPECT_TRUE(refusal("no-such-program-anywhere").starts_with("127 "));
  EXPECT_TRUE(refusal(folder_->path()).starts_with("126 "));
  const std::string text = folder_->write("text", "hello\n");
  EXPECT_TRUE(refusal(text).starts_with("126 "));
  ASSERT_EQ(::chmod(text.c_str(), 0755), 0);
  EXPECT_TRUE(refusal(text).starts_with("126 "));
  const std::string script = folder_->write("script", "#!/bin/sh\n");
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  EXPECT_EQ(refusal(script), "");
  EXPECT_TRUE(check_program(script, false).is_script);
}

TEST_F(Elf, ThirtyTwoBits) {
  const std::string a = build("gcc a.c", "narrow");
  ASSERT_NE(a, "");
  std::fstream file(a, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4);  // the class
  file.put(1);
  file.close();
  EXPECT_NE(refusal(a).find("a 32-bit program"), std::string::npos);
}

// A file may end anywhere: no crash, and never taken for an instrumented program in whole.
TEST_F(Elf, CutShort) {
  const std::string a = build("gcc a.c", "whole");
  ASSERT_NE(a, "");
  std::ifstream in(a, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (std::size_t n = 0; n < bytes.size(); n += n < 1024 ? 8 : 512) {
    folder_->write("cut", bytes.substr(0, n));
    EXPECT_FALSE(read_elf(*folder_ / "cut").imports_tsan);
  }
}

}  // namespace
}  // namespace steward::report
