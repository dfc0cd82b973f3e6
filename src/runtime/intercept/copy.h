// memcpy and kin for the runtime itself, and for calls before there is anything to check. They
// never come back to our hooks. The linker's --wrap sends the runtime's own calls here, those that
// the compiler makes for a struct as well.
#pragma once

#include <cstddef>

extern "C" {
void* __wrap_memcpy(void* to, const void* from, std::size_t n);
void* __wrap_memmove(void* to, const void* from, std::size_t n);
void* __wrap_memset(void* to, int c, std::size_t n);
int __wrap_memcmp(const void* a, const void* b, std::size_t n);
std::size_t __wrap_strlen(const char* s);
}

namespace steward::rt::plain {
inline void* copy(void* to, const void* from, std::size_t n) {
  return __wrap_memcpy(to, from, n);
}
inline void* move(void* to, const void* from, std::size_t n) {
  return __wrap_memmove(to, from, n);
}
inline void* fill(void* to, int c, std::size_t n) {
  return __wrap_memset(to, c, n);
}
inline int compare(const void* a, const void* b, std::size_t n) {
  return __wrap_memcmp(a, b, n);
}
inline std::size_t length(const char* s) {
  return __wrap_strlen(s);
}
}  // namespace steward::rt::plain
