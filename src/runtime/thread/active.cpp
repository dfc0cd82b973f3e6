#include "runtime/thread/active.h"

#include "runtime/mem/lock.h"

namespace steward::rt {
namespace {

constexpr unsigned kMaxModules = 4096;  // those beyond stay on
SpinLock lock;
unsigned char* flags[kMaxModules];
unsigned count = 0;
unsigned char active = 1;

void set(unsigned char* flag, unsigned char value) {
  __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}

}  // namespace

void add_active_flag(unsigned char* flag) {
  const Locked guard(lock);
  set(flag, active);
  if (count < kMaxModules) {
    flags[count++] = flag;
  } else {
    set(flag, 1);
  }
}

void remove_active_flag(unsigned char* flag) {
  const Locked guard(lock);
  for (unsigned i = 0; i < count; ++i) {
    if (flags[i] == flag) flags[i--] = flags[--count];
  }
  set(flag, 1);
}

bool has_active_flags() { return __atomic_load_n(&count, __ATOMIC_RELAXED) != 0; }

void set_active(bool on) {
  const Locked guard(lock);
  __atomic_store_n(&active, on ? 1 : 0, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < count; ++i) set(flags[i], on ? 1 : 0);
}

bool is_active() { return __atomic_load_n(&active, __ATOMIC_RELAXED) != 0; }

}  // namespace steward::rt
