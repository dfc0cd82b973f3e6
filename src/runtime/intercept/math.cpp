// Functions of libm that ThreadSanitizer's library has as well, since they write through a pointer
// or to signgam. A program may have taken them from that library when it was linked, and not ask
// for libm; it is loaded then, and only then: it would be a fifth of a small program's memory.
#include <dlfcn.h>

#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;

namespace {

void* find_in_libm(const char* name) {
  if (void* p = dlsym(RTLD_NEXT, name)) return p;
  void* libm = dlopen("libm.so.6", RTLD_LAZY | RTLD_GLOBAL);
  if (void* p = libm == nullptr ? nullptr : dlsym(libm, name)) return p;
  sys::die(name);
}

template <class Function>
Function found(Function& f, const char* name) {
  Function now = __atomic_load_n(&f, __ATOMIC_RELAXED);
  if (now == nullptr) {
    now = reinterpret_cast<Function>(find_in_libm(name));
    __atomic_store_n(&f, now, __ATOMIC_RELAXED);
  }
  return now;
}

void wrote(volatile void* p, std::size_t size, uptr pc) {
  if (ThreadState* t = checking_thread()) writes(*t, p, size, pc);
}

}  // namespace

#define SINCOS(name, T)                                      \
  STEWARD_HOOK_AS(void, name, (T x, T * sine, T * cosine)) { \
    static void (*f)(T, T*, T*);                             \
    found(f, #name)(x, sine, cosine);                        \
    wrote(sine, sizeof *sine, STEWARD_CALLER);               \
    wrote(cosine, sizeof *cosine, STEWARD_CALLER);           \
  }
SINCOS(sincos, double)
SINCOS(sincosf, float)
SINCOS(sincosl, long double)

#define REMQUO(name, T)                                 \
  STEWARD_HOOK_AS(T, name, (T x, T y, int* quotient)) { \
    static T (*f)(T, T, int*);                          \
    const T result = found(f, #name)(x, y, quotient);   \
    wrote(quotient, sizeof *quotient, STEWARD_CALLER);  \
    return result;                                      \
  }
REMQUO(remquo, double)
REMQUO(remquof, float)
REMQUO(remquol, long double)

#define LGAMMA_R(name, T)                      \
  STEWARD_HOOK_AS(T, name, (T x, int* sign)) { \
    static T (*f)(T, int*);                    \
    const T result = found(f, #name)(x, sign); \
    wrote(sign, sizeof *sign, STEWARD_CALLER); \
    return result;                             \
  }
LGAMMA_R(lgamma_r, double)
LGAMMA_R(lgammaf_r, float)
LGAMMA_R(lgammal_r, long double)

#define LGAMMA(name, T)             \
  STEWARD_HOOK_AS(T, name, (T x)) { \
    static T (*f)(T);               \
    return found(f, #name)(x);      \
  }
LGAMMA(lgamma, double)
LGAMMA(lgammaf, float)
LGAMMA(lgammal, long double)
