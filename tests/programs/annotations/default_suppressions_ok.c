// The program itself says which of its races it does not want to hear of.
// EXPECT: none
#include "../support/in_order.h"

ALONE int x;

const char* __tsan_default_suppressions(void);
__attribute__((no_sanitize("thread"))) const char* __tsan_default_suppressions(void) {
  return "# a comment\nrace:^known_race$\n";
}

NOINLINE static void known_race(void) { x = (int)opaque(1); }
static void first(void) {
  known_race();
  keep(0);
}
static void second(void) {
  keep(1);
  known_race();
  keep(0);
}

int main(void) {
  in_order(first, second);
  return 0;
}
