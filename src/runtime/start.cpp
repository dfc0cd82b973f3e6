// The library's beginning and end.
#include <stdlib.h>

#include "runtime/abi/hook.h"
#include "runtime/jumble/tool.h"
#include "runtime/options.h"
#include "runtime/record/record_file.h"
#include "runtime/record/report.h"
#include "runtime/thread/runtime_scope.h"
#include "runtime/trace/tool.h"

extern "C" __attribute__((weak)) void __tsan_on_initialize();  // the program's, if it has one

namespace steward::rt {

namespace {
__attribute__((constructor(101))) void begin() {
  start_runtime();
  if constexpr (jumble::kEnabled) jumble::start();
  if constexpr (kTraces) trace::module_loaded();
  if (&__tsan_on_initialize != nullptr) __tsan_on_initialize();
}
}  // namespace
}  // namespace steward::rt

// What the core's containers would call on the impossible. Hidden, and so under a name of our own in
// C++: the program's calls must go on to the library that throws.
extern "C" [[noreturn]] __attribute__((visibility("hidden"))) void length_error(const char* what) __asm__(
    "_ZSt20__throw_length_errorPKc");
void length_error(const char* what) { steward::rt::sys::die(what); }
extern "C" __attribute__((visibility("hidden"))) void __cxa_pure_virtual() {
  steward::rt::sys::die("pure virtual call");
}
