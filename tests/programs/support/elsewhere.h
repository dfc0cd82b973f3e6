// Accesses made in a function of another file: the line in the program is then known only from the
// detector's own record of the calls, not from the place of the access.
#ifndef STEWARD_TESTS_PROGRAMS_ELSEWHERE_H
#define STEWARD_TESTS_PROGRAMS_ELSEWHERE_H

#include "invisible.h"

__attribute__((noinline, unused)) static void store_elsewhere(int* place, int value) {
  *place = value;
  keep(0);
}

// ... after something else was called and has returned.
__attribute__((noinline, unused)) static void store_elsewhere_after(void (*call)(long), int* place) {
  call(opaque(2));
  *place = 1;
  keep(0);
}

#endif
