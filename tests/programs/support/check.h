// What a program demands of the calls it makes; holds in every build, unlike assert.
#ifndef STEWARD_TESTS_PROGRAMS_CHECK_H
#define STEWARD_TESTS_PROGRAMS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                \
    }                                                                         \
  } while (0)

#endif
