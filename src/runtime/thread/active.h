// Are checks on? Code built with the pass has a version without, which it runs while they are not.
// Each module asks a byte of its own; a detector that is always on leaves them as they begin.
#pragma once

namespace steward::rt {

void add_active_flag(unsigned char* flag);
void remove_active_flag(unsigned char* flag);
bool has_active_flags();  // is any of the program built with the pass?

// Under the caller's lock. Each thread notices at its next choice of versions.
void set_active(bool on);
bool is_active();

}  // namespace steward::rt
