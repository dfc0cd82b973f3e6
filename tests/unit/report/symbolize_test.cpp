#include "report/symbolize.h"

#include <gtest/gtest.h>

#include "report/modules.h"

#include "sample.h"

namespace steward::report {
namespace {

constexpr const char* kSource = R"(int counter[4];
static inline __attribute__((always_inline)) void bump(int by) {
  counter[1] += by;
}
namespace space { void work(int by) {
  bump(by);
} }
int main() { space::work(2); return counter[0]; }
)";

struct Case {
  const char* compiler;
  const char* backend;  // llvm or libdw
};

class SymbolizerTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!have(GetParam().compiler)) GTEST_SKIP() << "no " << GetParam().compiler;
    if (GetParam().backend == std::string("llvm")) {
      const std::string program = find_llvm_symbolizer();
      if (program.empty()) GTEST_SKIP() << "no llvm-symbolizer";
      symbolizer_ = open_llvm_symbolizer(program);
    } else {
      symbolizer_ = open_libdw_symbolizer();
    }
    ASSERT_NE(symbolizer_, nullptr);
    const std::string source = folder_.write("a.cpp", kSource);
    binary_ = folder_ / "prog ram";  // a blank in the name
    ASSERT_TRUE(sh(std::string(GetParam().compiler) + " -g -O1 -Wl,--build-id '" + source +
                   "' -o '" + binary_ + "'"));
  }

  Address symbol(const std::string& name) {
    return std::strtoull(
        output_of("nm '" + binary_ + "' | grep ' " + name + "$' | cut -d' ' -f1").c_str(), nullptr,
        16);
  }

  // The inlined increment: the first address of work() that has two frames.
  void expect_inlined(const std::string& path) {
    const Address work = symbol("_ZN5space4workEi");
    ASSERT_NE(work, 0U);
    for (Address at = work; at < work + 64; ++at) {
      const std::vector<SourceFrame> frames = symbolizer_->code(path, at);
      if (frames.size() != 2) continue;
      EXPECT_TRUE(frames[0].function.starts_with("bump")) << frames[0].function;
      EXPECT_EQ(frames[0].line, 3U);
      EXPECT_EQ(frames[0].start_line, 2U);
      EXPECT_EQ(frames[1].function, "space::work(int)");
      EXPECT_EQ(frames[1].line, 6U);
      EXPECT_TRUE(frames[1].file.ends_with("/a.cpp"));
      return;
    }
    ADD_FAILURE() << "no inlined frame found";
  }

  Folder folder_;
  std::string binary_;
  std::unique_ptr<Symbolizer> symbolizer_;
};

TEST_P(SymbolizerTest, InlinedFrames) {
  expect_inlined(binary_);
}

TEST_P(SymbolizerTest, Data) {
  const Address counter = symbol("counter");
  const auto found = symbolizer_->data(binary_, counter + 5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "counter");
  EXPECT_EQ(found->start, counter);
  EXPECT_EQ(found->size, 16U);
  EXPECT_FALSE(symbolizer_->data(binary_, 1));
}

TEST_P(SymbolizerTest, StrippedWithADebugFileBeside) {
  const std::string debug = folder_ / "prog.debug";
  ASSERT_TRUE(sh("cd " + folder_.path() +
                 " && objcopy --only-keep-debug 'prog ram' prog.debug && "
                 "objcopy --strip-all --add-gnu-debuglink=prog.debug 'prog ram' stripped"));
  expect_inlined(folder_ / "stripped");
}

TEST_P(SymbolizerTest, StrippedWithNothing) {
  ASSERT_TRUE(sh("cd " + folder_.path() + " && objcopy --strip-all 'prog ram' bare"));
  for (const SourceFrame& f : symbolizer_->code(folder_ / "bare", symbol("main"))) {
    EXPECT_NE(f.function, "main");
    EXPECT_EQ(f.line, 0U);
  }
}

TEST_P(SymbolizerTest, WithoutDebugInformationTheSymbolTable) {
  ASSERT_TRUE(sh("cd " + folder_.path() + " && objcopy --strip-debug 'prog ram' symbols"));
  const auto frames = symbolizer_->code(folder_ / "symbols", symbol("_ZN5space4workEi") + 1);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "space::work(int)");
}

TEST_P(SymbolizerTest, QuestionsWithoutAnAnswer) {
  EXPECT_TRUE(symbolizer_->code("/no/such/file", 5).empty());
  EXPECT_FALSE(symbolizer_->data("/no/such/file", 5));
  EXPECT_TRUE(symbolizer_->code("/bad\nname\"'", 5).empty());
  EXPECT_TRUE(symbolizer_->code(binary_, 1).empty());
  expect_inlined(binary_);  // still in step
}

INSTANTIATE_TEST_SUITE_P(All, SymbolizerTest,
                         testing::Values(Case{"g++", "llvm"}, Case{"clang++-19", "llvm"},
                                         Case{"g++", "libdw"}, Case{"clang++-19", "libdw"}),
                         [](const auto& p) {
                           return std::string(p.param.backend) +
                                  (p.param.compiler == std::string("g++") ? "_gcc" : "_clang");
                         });

TEST(OpenSymbolizer, ABrokenProgramIsReplaced) {
  if (!have("gcc")) GTEST_SKIP();
  Folder folder;
  const std::string source = folder.write("a.c", "int main(void) { return 0; }\n");
  ASSERT_TRUE(sh("gcc -g " + source + " -o " + (folder / "a")));
  const Address main =
      std::strtoull(output_of("nm " + (folder / "a") + " | grep ' main$'").c_str(), nullptr, 16);
  for (const char* program : {"/bin/true", "/no/such/program"}) {
    const auto symbolizer = open_symbolizer({program, true, folder.path()});
    const auto frames = symbolizer->code(folder / "a", main);
    ASSERT_EQ(frames.size(), 1U) << program;
    EXPECT_EQ(frames[0].function, "main");
    EXPECT_EQ(frames[0].file, "a.c");  // the prefix is cut off
  }
}

}  // namespace
}  // namespace steward::report
