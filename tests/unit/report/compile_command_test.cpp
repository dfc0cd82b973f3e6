#include "cli/compile_command.h"

#include <gtest/gtest.h>

#include "sample.h"

namespace steward::cli {
namespace {

using Words = std::vector<std::string>;

struct Step {
  Words words;
  bool has_input;
  bool links;
};
class Examine : public testing::TestWithParam<Step> {};

TEST_P(Examine, Tells) {
  const CompileStep step = examine(GetParam().words);
  EXPECT_EQ(step.has_input, GetParam().has_input) << quoted(GetParam().words);
  EXPECT_EQ(step.links, GetParam().links) << quoted(GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    All, Examine,
    testing::Values(Step{{}, false, false}, Step{{"--version"}, false, false},
                    Step{{"-v"}, false, false}, Step{{"-dumpmachine"}, false, false},
                    Step{{"-print-search-dirs"}, false, false},
                    Step{{"-print-prog-name=ld", "a.c"}, false, false}, Step{{"a.c"}, true, true},
                    Step{{"-c", "a.c"}, true, false}, Step{{"a.c", "-o", "a.o", "-c"}, true, false},
                    Step{{"-E", "-"}, true, false}, Step{{"-MM", "a.c"}, true, false},
                    Step{{"-S", "a.c"}, true, false}, Step{{"-o", "a"}, false, false},
                    Step{{"-I", "include", "-D", "X=1"}, false, false},
                    Step{{"-MD", "-MF", "a.d", "-c", "a.c"}, true, false},
                    Step{{"a.o", "b.o", "-shared", "-o", "lib.so"}, true, true},
                    Step{{"-r", "a.o", "-o", "b.o"}, true, false}));

TEST(Examine, ResponseFilesAreRead) {
  report::Folder folder;
  const std::string inner = folder.write("inner", "-c \"a b.c\"\n");
  const std::string outer = folder.write("outer", "-O2\n@" + inner + "\n");
  const CompileStep step = examine({"@" + outer});
  EXPECT_TRUE(step.has_input);
  EXPECT_FALSE(step.links);
  // one that names itself ends too
  examine({"@" + folder.write("loop", "@" + (folder / "loop"))});
}

TEST(Plan, CompileOnly) {
  const CompilePlan plan =
      plan_compile({"ccache", "clang"}, CompilerFamily::Clang, {"-g0", "-c", "a.c"}, "/lib/t");
  EXPECT_EQ(plan.command,
            (Words{"ccache", "clang", "-fsanitize=thread", "-g", "-g0", "-c", "a.c"}));
}

TEST(Plan, QuestionsArePassedOnAsTheyAre) {
  EXPECT_EQ(plan_compile({"gcc"}, CompilerFamily::Gcc, {"--version"}, "").command,
            (Words{"gcc", "--version"}));
}

TEST(Plan, LinkWithGcc) {
  EXPECT_EQ(plan_compile({"gcc"}, CompilerFamily::Gcc, {"a.o"}, "/l").command,
            (Words{"gcc", "-fsanitize=thread", "-g", "-L/l", "-Xlinker", "-rpath", "-Xlinker", "/l",
                   "a.o"}));
}

TEST(Plan, LinkWithClang) {
  EXPECT_EQ(plan_compile({"clang"}, CompilerFamily::Clang, {"a.o"}, "/l").command,
            (Words{"clang", "-fsanitize=thread", "-g", "-fno-sanitize-link-runtime",
                   "-Wl,--push-state,--no-as-needed", "/l/libtsan.so.2", "-Wl,--pop-state",
                   "-Xlinker", "-rpath", "-Xlinker", "/l", "a.o"}));
}

TEST(Plan, ThePassOfThisClang) {
  EXPECT_EQ(plan_compile({"clang-19"}, CompilerFamily::Clang, {"-c", "a.c"}, "", "/p.so").command,
            (std::vector<std::string>{"clang-19", "-fsanitize=thread", "-g",
                                      "--start-no-unused-arguments", "-fpass-plugin=/p.so",
                                      "--end-no-unused-arguments", "-c", "a.c"}));
  EXPECT_EQ(plan_compile({"clang-19"}, CompilerFamily::Clang, {"--version"}, "", "/p.so").command,
            (std::vector<std::string>{"clang-19", "--version"}));
}

TEST(Plan, NoLibrariesNoRuntime) {
  EXPECT_EQ(plan_compile({"gcc"}, CompilerFamily::Gcc, {"-nostdlib", "a.o"}, "").command,
            (Words{"gcc", "-fsanitize=thread", "-g", "-nostdlib", "a.o"}));
}

TEST(Plan, WhatCannotBe) {
  const auto error = [](Words words) {
    return plan_compile({"gcc"}, CompilerFamily::Gcc, words, "/l").error;
  };
  EXPECT_EQ(error({"-fsanitize=thread", "a.c"}), "");
  EXPECT_EQ(error({"-fsanitize=undefined", "a.c"}), "");
  EXPECT_NE(error({"-fsanitize=undefined,address", "-c", "a.c"}), "");
  EXPECT_NE(error({"-static", "a.c"}), "");
  EXPECT_EQ(error({"-static", "-c", "a.c"}), "");
  EXPECT_NE(error({"-static-libtsan", "a.c"}), "");
  EXPECT_NE(plan_compile({"gcc"}, CompilerFamily::Gcc, {"a.c"}, "").error, "");
}

TEST(Quoted, AsAShellReads) {
  EXPECT_EQ(quoted({"gcc", "-DX=\"a b\"", "it's", ""}), "gcc '-DX=\"a b\"' 'it'\\''s' ''");
}

}  // namespace
}  // namespace steward::cli
