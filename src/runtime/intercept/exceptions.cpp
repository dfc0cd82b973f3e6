// The count of owners of an exception lives in libstdc++, which is not instrumented: who destroys
// the exception comes after all who let go of it before.
#include "runtime/intercept/real.h"
#include "runtime/sync/sync_object.h"

using namespace steward::rt;

// std::__exception_ptr::exception_ptr::_M_release(); its one member is the exception.
REAL(void, _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, void**)

STEWARD_HOOK void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** self) {
  if (ThreadState* t = interceptor_thread(); t != nullptr && *self != nullptr) {
    release_merge(*t, address(*self));
    acquire(*t, address(*self));
  }
  real__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv()(self);
}
