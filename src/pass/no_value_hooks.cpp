// For a clang whose plugin has none: to build without them would be to judge nothing, in silence.
#include <cstdlib>

#include "llvm/Support/ErrorHandling.h"
#include "pass/value_hooks.h"

namespace steward::pass {

bool value_hooks_wanted() {
  const char* wanted = std::getenv("STEWARD_VALUE_HOOKS");
  return wanted != nullptr && *wanted == '1';
}

void add_value_hooks(llvm::Module&) {
  llvm::report_fatal_error("steward cc --jumble needs clang 19 or later", false);
}

}  // namespace steward::pass
