// Loads and stores that carry their value, of programs built for adversarial memory
// (src/pass/value_hooks.cpp): to a detector they are what any others are.
#include "runtime/abi/hook.h"

using namespace steward::rt;

// Where the next atomic operation of this thread is; only adversarial memory asks.
extern "C" {
__attribute__((visibility("default"),
               tls_model("initial-exec"))) __thread std::uint64_t __steward_site;
}

#define VALUE(size, bits)                                                                        \
  STEWARD_HOOK std::uint##bits##_t __steward_load##size(std::uint##bits##_t* p, std::uint64_t) { \
    access<size, false>(address(p), STEWARD_CALLER);                                             \
    return __atomic_load_n(p, __ATOMIC_RELAXED);                                                 \
  }                                                                                              \
  STEWARD_HOOK void __steward_store##size(std::uint##bits##_t* p, std::uint##bits##_t value,     \
                                          std::uint64_t) {                                       \
    access<size, true>(address(p), STEWARD_CALLER);                                              \
    __atomic_store_n(p, value, __ATOMIC_RELAXED);                                                \
  }
VALUE(1, 8)
VALUE(2, 16)
VALUE(4, 32)
VALUE(8, 64)
#undef VALUE
