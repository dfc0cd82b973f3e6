#include "report/frames.h"

#include <gtest/gtest.h>

#include "sample.h"

namespace steward::report {
namespace {

Frame ours(const char* function) {
  Frame f = frame(function);
  f.module = "/usr/lib/steward/fasttrack/libtsan.so.2";
  return f;
}

std::vector<std::string> functions(const Stack& stack) {
  std::vector<std::string> out;
  for (const Frame& f : stack) out.push_back(f.function);
  return out;
}

TEST(Trim, OursAboveAndTheStartBelow) {
  Stack stack = {ours("__tsan_write4"),           ours("check"),  frame("work"), frame("main"),
                 frame("__libc_start_call_main"), frame("_start")};
  trim(stack);
  EXPECT_EQ(functions(stack), (std::vector<std::string>{"work", "main"}));
}

TEST(Trim, AThreadsStart) {
  Frame libc = frame("");
  libc.module = "/lib/x86_64-linux-gnu/libc.so.6";
  Stack stack = {frame("work"), ours("thread_start"), frame("start_thread"), libc};
  trim(stack);
  EXPECT_EQ(functions(stack), (std::vector<std::string>{"work"}));
}

TEST(Trim, NeverAllOfIt) {
  Stack stack = {ours("a"), ours("b")};
  trim(stack);
  EXPECT_FALSE(stack.empty());
  Stack empty;
  trim(empty);
  EXPECT_TRUE(empty.empty());
}

TEST(Plumbing, IsDroppedAtTheBottomOnly) {
  const Stack stack = {
      frame("std::vector<int>::push_back(int)", "/usr/include/c++/12/bits/stl_vector.h", 1),
      frame("work()", "/src/a.cpp", 3),
      frame("void std::__invoke_impl<void, void (*)()>(...)", "/usr/include/c++/12/bits/invoke.h"),
      frame("std::thread::_State_impl<int>::_M_run()", "/usr/include/c++/12/bits/std_thread.h")};
  EXPECT_EQ(without_plumbing(stack).size(), 2U);
  EXPECT_EQ(without_plumbing({stack[2], stack[3]}).size(), 2U);
}

TEST(Shortened, CutsArgumentsFirst) {
  EXPECT_EQ(shortened("f(int)", 20), "f(int)");
  EXPECT_EQ(shortened("std::map<std::string, std::vector<int>>::at(int)", 30),
            "std::map<...>::at(int)");
  EXPECT_EQ(shortened("A::operator<(A<int, int, int, int, int> const&)", 30),
            "A::operator<(A<...> const&)");
  EXPECT_EQ(shortened("P<int, int, int, int, int, int>::operator->()", 30), "P<...>::operator->()");
  EXPECT_LE(shortened(std::string(1000, 'x'), 60).size(), 60U);
}

TEST(Runtime, ByFileName) {
  EXPECT_TRUE(is_runtime("/x/libtsan.so.2"));
  EXPECT_TRUE(is_runtime("libclang_rt.tsan-x86_64.so"));
  EXPECT_FALSE(is_runtime("/x/libtsan.so.2/app"));
}

}  // namespace
}  // namespace steward::report
