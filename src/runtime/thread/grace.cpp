#include "runtime/thread/grace.h"

#include "runtime/shadow/owner.h"
#include "runtime/thread/registry_inside.h"

namespace steward::rt {
namespace {

bool is_outside(const ThreadState& t) {
  return __atomic_load_n(&t.busy, __ATOMIC_ACQUIRE) == 0 &&
         (__atomic_load_n(&t.section, __ATOMIC_ACQUIRE) & 1) == 0;
}

}  // namespace

bool Grace::begin() {
  ++number_;
  unknown_ = gone_ = false;
  return owner::fence_all();  // whoever enters from now on sees what was done before
}

bool Grace::is_over(const ThreadState& me) {
  unknown_ = unknown_ || __atomic_load_n(&no_thread->busy, __ATOMIC_ACQUIRE) == 0;
  gone_ = gone_ || __atomic_load_n(&gone_thread->busy, __ATOMIC_ACQUIRE) == 0;
  bool all = unknown_ && gone_;
  const Locked guard(registry_lock);
  for_living([&](ThreadState& t) {
    if (t.seen_outside == number_) return;
    if (&t == &me || is_outside(t)) {
      t.seen_outside = number_;
    } else {
      all = false;
    }
  });
  return all;
}

void each_crowd_word(void (*f)(std::uint64_t word)) {
  const auto crowd = &__steward_crowd_word - &__steward_word;
  const Locked guard(registry_lock);
  for_living([&](ThreadState& t) {
    if (t.shown != nullptr) f(__atomic_load_n(t.shown + crowd, __ATOMIC_RELAXED));
  });
}

}  // namespace steward::rt
