#include "runtime/intercept/real.h"

namespace steward::rt {

void* find_real(const char* name) {
  if (void* p = dlsym(RTLD_NEXT, name)) return p;
  sys::die(name);
}

void* find_real_version(const char* name, const char* version) {
  if (void* p = dlvsym(RTLD_NEXT, name, version)) return p;
  return find_real(name);
}

}  // namespace steward::rt
