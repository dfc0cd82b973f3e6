// Are checks on? Code built with the pass has a version without, which it runs while they are not.
// Each module asks a byte of its own; a detector that is always on leaves them as they begin.
#pragma once

namespace steward::rt {

void add_active_flag(unsigned char* flag);
void remove_active_flag(unsigned char* flag);
// Read at every intercepted call; set by set_active.
inline unsigned char active_now = 1;
inline unsigned active_flags = 0;
inline bool has_active_flags() {  // is any of the program built with the pass?
  return __atomic_load_n(&active_flags, __ATOMIC_RELAXED) != 0;
}
inline bool is_active() { return __atomic_load_n(&active_now, __ATOMIC_RELAXED) != 0; }

// Under the caller's lock. Each thread notices at its next choice of versions.
void set_active(bool on);

void lock_active_for_fork();
void unlock_active_after_fork();

}  // namespace steward::rt
