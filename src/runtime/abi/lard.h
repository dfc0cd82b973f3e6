// What the parts of LARD's interface share.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

// Told once for each text, with the caller's stack. The caller then does nothing else.
void misuse(ThreadState& t, const char* text, uptr pc);

// What is said explicitly is the program's, even where the rest is the system's.
class OutsideRegions {
 public:
  explicit OutsideRegions(ThreadState& t) : t_(t), regions_(t.system_regions) {
    t_.ignore_accesses -= regions_;
    t_.ignore_sync -= regions_;
  }
  ~OutsideRegions() {
    t_.ignore_accesses += regions_;
    t_.ignore_sync += regions_;
  }
  OutsideRegions(const OutsideRegions&) = delete;
  OutsideRegions& operator=(const OutsideRegions&) = delete;

 private:
  ThreadState& t_;
  const std::uint32_t regions_;
};

}  // namespace steward::rt
