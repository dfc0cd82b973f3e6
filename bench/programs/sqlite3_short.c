/* Runs the tests of SQLite's threadtest3.c for as many milliseconds each as the argument says.
** Not cgt_pager_1 (one thread) and not checkpoint_starvation_1 (wants the log to grow for seconds). */
#define main threadtest3_main
#include "threadtest3.c"
#undef main
#include <stdlib.h>

int main(int argc, char **argv) {
  static const struct {
    void (*run)(int);
    const char *name;
  } tests[] = {
      {walthread1, "walthread1"},
      {walthread2, "walthread2"},
      {walthread3, "walthread3"},
      {walthread4, "walthread4"},
      {walthread5, "walthread5"},
      {dynamic_triggers, "dynamic_triggers"},
      {checkpoint_starvation_2, "checkpoint_starvation_2"},
      {create_drop_index_1, "create_drop_index_1"},
      {lookaside1, "lookaside1"},
      {vacuum1, "vacuum1"},
      {stress1, "stress1"},
      {stress2, "stress2"},
      {shared1, "shared1"},
  };
  const int count = sizeof tests / sizeof *tests;
  const int milliseconds = argc > 1 ? atoi(argv[1]) : 500;
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  for (int i = 0; i < count; ++i) {
    printf("Running %s\n", tests[i].name);
    fflush(stdout);
    tests[i].run(milliseconds);
  }
  printf("%d errors out of %d tests\n", nGlobalErr, count);
  return nGlobalErr > 0 ? 255 : 0;
}
