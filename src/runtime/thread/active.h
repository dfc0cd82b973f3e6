// Are checks on? Code built with the pass has a version without, which it runs while they are not.
// Each module asks a byte of its own; a detector that is always on leaves them as they begin.
#pragma once

namespace steward::rt {

// What the modules' bytes say. OrderOnly: accesses are not checked, for nobody is awake who could
// race with what was sampled, but whoever synchronises passes on what it knows (sample/idle.h).
enum class Checks : unsigned char { Off = 0, On = 1, OrderOnly = 2 };

void add_active_flag(unsigned char* flag);
void remove_active_flag(unsigned char* flag);
// Read at every intercepted call; set by set_checks.
inline Checks checks_now = Checks::On;
inline unsigned active_flags = 0;
inline bool has_active_flags() {  // is any of the program built with the pass?
  return __atomic_load_n(&active_flags, __ATOMIC_RELAXED) != 0;
}
inline Checks checks() {
  return __atomic_load_n(&checks_now, __ATOMIC_RELAXED);
}
inline bool is_active() {
  return checks() == Checks::On;
}
inline bool is_order_followed() {
  return checks() != Checks::Off;
}

// Under the caller's lock. Each thread notices at its next choice of versions.
void set_checks(Checks now);

void lock_active_for_fork();
void unlock_active_after_fork();

}  // namespace steward::rt
