// operator new and delete in all their forms. The standard's loop around the new handler is here;
// the handler and the exception are libstdc++'s (or libc++'s), found in the program when needed.
#include <new>

#include "runtime/intercept/real.h"
#include "runtime/mem/heap_block.h"

using namespace steward::rt;
using std::size_t;

namespace {

std::new_handler handler() {
  using Get = std::new_handler (*)();
  static Get get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "_ZSt15get_new_handlerv"));
  return get != nullptr ? get() : nullptr;
}

[[noreturn]] void throw_bad_alloc() {
  for (const char* name : {"_ZSt17__throw_bad_allocv", "_ZNSt3__117__throw_bad_allocEv",
                           "_ZNSt3__117__throw_bad_allocB7v160006Ev"}) {
    if (void* p = dlsym(RTLD_DEFAULT, name)) reinterpret_cast<void (*)()>(p)();
  }
  sys::die("operator new: out of memory, and no C++ library to throw bad_alloc with");
}

// A handler that throws passes through here, and through a nothrow form ends the program: it is
// declared noexcept. libstdc++ would return null there; a handler is to make room or end.
void* make(size_t size, size_t alignment, bool throws, uptr pc) {
  for (;;) {
    if (void* p = allocate(size, alignment, pc)) return p;
    const std::new_handler h = handler();
    if (h == nullptr) break;
    h();
  }
  if (throws) throw_bad_alloc();
  return nullptr;
}

}  // namespace

#define VISIBLE __attribute__((visibility("default"), used))
#define NEW(form)                                                                             \
  VISIBLE void* operator form(size_t n) {                                                     \
    return make(n, 16, true, STEWARD_CALLER);                                                 \
  }                                                                                           \
  VISIBLE void* operator form(size_t n, const std::nothrow_t&) noexcept {                     \
    return make(n, 16, false, STEWARD_CALLER);                                                \
  }                                                                                           \
  VISIBLE void* operator form(size_t n, std::align_val_t a) {                                 \
    return make(n, static_cast<size_t>(a), true, STEWARD_CALLER);                             \
  }                                                                                           \
  VISIBLE void* operator form(size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { \
    return make(n, static_cast<size_t>(a), false, STEWARD_CALLER);                            \
  }
#define DELETE(form)                                                                      \
  VISIBLE void operator form(void* p) noexcept {                                          \
    free_block(p, STEWARD_CALLER);                                                        \
  }                                                                                       \
  VISIBLE void operator form(void* p, const std::nothrow_t&) noexcept {                   \
    free_block(p, STEWARD_CALLER);                                                        \
  }                                                                                       \
  VISIBLE void operator form(void* p, size_t) noexcept {                                  \
    free_block(p, STEWARD_CALLER);                                                        \
  }                                                                                       \
  VISIBLE void operator form(void* p, std::align_val_t) noexcept {                        \
    free_block(p, STEWARD_CALLER);                                                        \
  }                                                                                       \
  VISIBLE void operator form(void* p, std::align_val_t, const std::nothrow_t&) noexcept { \
    free_block(p, STEWARD_CALLER);                                                        \
  }                                                                                       \
  VISIBLE void operator form(void* p, size_t, std::align_val_t) noexcept {                \
    free_block(p, STEWARD_CALLER);                                                        \
  }

NEW(new)
NEW(new[])
DELETE(delete)
DELETE(delete[])
