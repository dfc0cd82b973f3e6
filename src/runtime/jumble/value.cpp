// Loads and stores that carry their value (src/pass/value_hooks.cpp).
#include "runtime/abi/hook.h"
#include "runtime/jumble/locations.h"

using namespace steward::rt;

// Where the next atomic operation of this thread is.
extern "C" {
__attribute__((visibility("default"),
               tls_model("initial-exec"))) __thread std::uint64_t __steward_site;
}

#define VALUE(size, bits)                                                                          \
  STEWARD_HOOK std::uint##bits##_t __steward_load##size(std::uint##bits##_t* p,                    \
                                                        std::uint64_t site) {                      \
    if (__builtin_expect(!jumble::may_be_jumbled_site(site), 1)) {                                 \
      return __atomic_load_n(p, __ATOMIC_RELAXED);                                                 \
    }                                                                                              \
    return static_cast<std::uint##bits##_t>(jumble::read(address(p), size, site, STEWARD_CALLER)); \
  }                                                                                                \
  STEWARD_HOOK void __steward_store##size(std::uint##bits##_t* p, std::uint##bits##_t value,       \
                                          std::uint64_t site) {                                    \
    if (__builtin_expect(                                                                          \
            !jumble::may_be_jumbled_site(site) && !jumble::may_be_location(address(p)), 1)) {      \
      return __atomic_store_n(p, value, __ATOMIC_RELAXED);                                         \
    }                                                                                              \
    jumble::write(address(p), size, value, site, STEWARD_CALLER);                                  \
  }
VALUE(1, 8)
VALUE(2, 16)
VALUE(4, 32)
VALUE(8, 64)
#undef VALUE
