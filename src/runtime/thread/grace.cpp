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

bool wait_for_others(const ThreadState& me) {
  constexpr unsigned kPatience = 10'000;
  static std::uint32_t round = 0;
  if (!owner::fence_all()) return false;  // whoever enters from now on sees what was done before
  bool unknown = false, gone = false;     // threads that share a state
  bool first = true;
  for (unsigned i = 0; i < kPatience; ++i) {
    bool all = true;
    {
      const Locked guard(registry_lock);
      if (first) ++round;
      first = false;
      for_living([&](ThreadState& t) {
        if (&t == &me || t.seen_outside == round) return;
        if (is_outside(t)) {
          t.seen_outside = round;
        } else {
          all = false;
        }
      });
    }
    unknown = unknown || is_outside(*no_thread);
    gone = gone || is_outside(*gone_thread);
    if (all && unknown && gone) return true;
    sys::yield();
  }
  return false;
}

void each_crowd_word(void (*f)(std::uint64_t word)) {
  const auto crowd = &__steward_crowd_word - &__steward_word;
  const Locked guard(registry_lock);
  for_living([&](ThreadState& t) {
    if (t.shown != nullptr) f(__atomic_load_n(t.shown + crowd, __ATOMIC_RELAXED));
  });
}

}  // namespace steward::rt
