// Functions to run at exit: each comes after its registration, whichever thread made it.
// Destructors of static objects arrive here as well. libc has atexit only as a static part of every
// program; one linked against libtsan.so takes it from us.
#include <stdlib.h>

#include "runtime/intercept/real.h"
#include "runtime/sync/sync_object.h"

extern "C" void* __libc_malloc(std::size_t);
extern "C" void __libc_free(void*);

using namespace steward::rt;

REAL(int, __cxa_atexit, void (*)(void*), void*, void*)

namespace {

struct Registered {
  void (*function)(void*);
  void* argument;
};

void run(void* p) {
  auto* r = static_cast<Registered*>(p);
  if (ThreadState* t = interceptor_thread()) acquire(*t, address(r));
  const Registered now = *r;
  __libc_free(r);
  now.function(now.argument);
}

int add(void (*function)(void*), void* argument, void* library) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return real___cxa_atexit()(function, argument, library);
  auto* r = static_cast<Registered*>(__libc_malloc(sizeof(Registered)));
  if (r == nullptr) return -1;
  *r = {function, argument};
  {
    const RuntimeScope scope(*t);
    clear_shadow(address(r), sizeof *r);
  }
  release(*t, address(r));
  return real___cxa_atexit()(run, r, library);
}

}  // namespace

STEWARD_HOOK int __cxa_atexit(void (*function)(void*), void* argument, void* library) {
  return add(function, argument, library);
}
STEWARD_HOOK int atexit(void (*function)()) {
  return add(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}
