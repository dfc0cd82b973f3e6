// Where objects were before they moved: a report looks for the stack of an access under the address
// it had then. The latest moves are kept; an access from before those has lost its stack, no more.
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

void note_move(uptr from, uptr to, std::size_t bytes);

// Addresses that a byte had before, latest first.
class MovedFrom {
 public:
  explicit MovedFrom(uptr now);
  bool next();
  uptr address() const { return address_; }

 private:
  uptr address_;
  std::uint64_t next_;  // moves from here on have been looked at
};

}  // namespace steward::rt
