// What counts as a run that went wrong, and what cannot be compared.
#include "cli/classify_judge.h"

#include <csignal>
#include <gtest/gtest.h>

namespace steward::cli {
namespace {

Trial ended(int code, std::string output = "sum 7\n") {
  Trial t;
  t.exit_code = code;
  t.output = std::move(output);
  t.seconds = 0.5;
  return t;
}
Trial killed(int signal, std::string error = "") {
  Trial t;
  t.signal = signal;
  t.error = std::move(error);
  return t;
}
Baseline of(std::initializer_list<Trial> trials) {
  Baseline b;
  for (const Trial& t : trials) b.add(t);
  return b;
}

TEST(ClassifyJudge, ARunLikeTheBaselineIsRight) {
  const Baseline b = of({ended(0), ended(0)});
  EXPECT_FALSE(b.judge(ended(0)));
  EXPECT_TRUE(b.remarks().empty());
  EXPECT_FALSE(b.broken());
}

TEST(ClassifyJudge, EachKindOfHarm) {
  const Baseline b = of({ended(0), ended(0)});
  EXPECT_EQ(b.judge(killed(SIGSEGV))->text, "crash: SIGSEGV");
  EXPECT_EQ(b.judge(killed(SIGABRT, "a.c:3: main: Assertion `x' failed.\n"))->text,
            "abort: SIGABRT (\"a.c:3: main: Assertion `x' failed.\")");
  EXPECT_EQ(b.judge(killed(SIGABRT, "terminate called after throwing 'int'\nmore\n"))->text,
            "abort: SIGABRT (\"terminate called after throwing 'int'\")");
  EXPECT_EQ(b.judge(ended(3))->text, "exit code 3 instead of exit code 0");
  EXPECT_EQ(b.judge(ended(0, "sum 8\n"))->text, "output: \"sum 8\" instead of \"sum 7\"");
  Trial slow = killed(SIGKILL);
  slow.timed_out = true;
  slow.seconds = 2;
  EXPECT_EQ(b.judge(slow)->kind, HarmKind::Hang);
  Trial unchecked = ended(0);
  unchecked.check_passed = false;
  EXPECT_EQ(b.judge(unchecked)->kind, HarmKind::Check);
}

TEST(ClassifyJudge, TheLineThatDiffersIsShown) {
  const Baseline b = of({ended(0, "one\ntwo\nthree\n")});
  EXPECT_EQ(b.judge(ended(0, "one\ntwo 2\nthree\n"))->text, "output: \"two 2\" instead of \"two\"");
  EXPECT_EQ(b.judge(ended(0, ""))->text, "output: \"\" instead of \"one\"");
}

TEST(ClassifyJudge, WhatChangesByItselfIsNotCompared) {
  const Baseline output = of({ended(0, "pid 1\n"), ended(0, "pid 2\n")});
  EXPECT_FALSE(output.judge(ended(0, "pid 3\n")));
  EXPECT_TRUE(output.judge(ended(1, "pid 3\n")));
  EXPECT_EQ(output.remarks().size(), 1u);

  const Baseline code = of({ended(0), ended(1)});
  EXPECT_FALSE(code.judge(ended(2)));
  EXPECT_TRUE(code.judge(killed(SIGSEGV)));

  Trial one = ended(0), other = ended(0), third = ended(0);
  one.files = {{"log", "1"}, {"result", "x"}};
  other.files = {{"log", "2"}, {"result", "x"}};
  third.files = {{"log", "3"}, {"result", "y"}};
  const Baseline files = of({one, other});
  EXPECT_EQ(files.changing_files(), std::vector<std::string>{"log"});
  EXPECT_EQ(files.judge(third)->text, "result differs");
  EXPECT_FALSE(files.judge(other));
}

TEST(ClassifyJudge, AProgramThatIsWrongByItselfIsTold) {
  EXPECT_TRUE(of({ended(0), killed(SIGSEGV)}).broken());
  Trial unchecked = ended(0);
  unchecked.check_passed = false;
  EXPECT_EQ(of({unchecked}).broken(), "--check fails");
  EXPECT_FALSE(of({ended(5), ended(5)}).broken());  // its code is its own affair
}

}  // namespace
}  // namespace steward::cli
