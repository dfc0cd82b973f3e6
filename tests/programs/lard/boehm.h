// The Boehm collector under lard.h: an allocation is the system's, and what it returns has no past.
#pragma once

#define GC_THREADS
#include <gc.h>

#include "../../../include/steward/lard.h"

static inline void* gc_new(size_t bytes) {
  steward_lard_system_begin();
  void* p = GC_MALLOC(bytes);
  steward_lard_clear_history(p, bytes);
  steward_lard_system_end();
  return p;
}
static inline void gc_collect(void) {
  steward_lard_system_begin();
  GC_gcollect();
  steward_lard_system_end();
}
