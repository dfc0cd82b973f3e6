// What code built with the pass (src/pass) tells of the module it is in.
#include "runtime/abi/hook.h"
#include "runtime/thread/active.h"

using namespace steward::rt;

STEWARD_HOOK void __steward_module_loaded(unsigned char* flag) {
  add_active_flag(flag);
}
STEWARD_HOOK void __steward_module_unloaded(unsigned char* flag) {
  remove_active_flag(flag);
}
