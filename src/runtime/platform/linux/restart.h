// With an unlimited stack the kernel maps libraries exactly half the address space below the
// executable, where both have the same shadow.
#pragma once

namespace steward::rt {

// Runs the program anew with a limited stack, if it had none. Returns if that was not it, or it
// cannot be done.
void restart_with_limited_stack();

}  // namespace steward::rt
