// gtest's main, with the rule coverage at the end of a whole run.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/coverage.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool whole = testing::GTEST_FLAG(filter) == "*";
  const int failed = RUN_ALL_TESTS();
  if (!whole) return failed;  // a part of the tests fires a part of the rules
  const int missing = steward::test::print_coverage();
  if (missing != 0) std::printf("%d rules never fired\n", missing);
  return failed != 0 || missing != 0 ? 1 : 0;
}
