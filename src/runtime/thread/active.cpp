#include "runtime/thread/active.h"

#include "runtime/mem/lock.h"

namespace steward::rt {
namespace {

constexpr unsigned kMaxModules = 4096;  // those beyond stay on
SpinLock lock;
unsigned char* flags[kMaxModules];

void set(unsigned char* flag, unsigned char value) {
  __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}

}  // namespace

void add_active_flag(unsigned char* flag) {
  const Locked guard(lock);
  set(flag, static_cast<unsigned char>(checks_now));
  if (active_flags < kMaxModules) {
    flags[active_flags++] = flag;
  } else {
    set(flag, 1);
  }
}

void remove_active_flag(unsigned char* flag) {
  const Locked guard(lock);
  for (unsigned i = 0; i < active_flags; ++i) {
    if (flags[i] == flag) flags[i--] = flags[--active_flags];
  }
  set(flag, 1);
}

void set_checks(Checks now) {
  const Locked guard(lock);
  __atomic_store_n(&checks_now, now, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < active_flags; ++i) set(flags[i], static_cast<unsigned char>(now));
}

void lock_active_for_fork() {
  lock.lock();
}
void unlock_active_after_fork() {
  lock.unlock();
}

}  // namespace steward::rt
