#include "runtime/record/benign.h"

#include "runtime/mem/lock.h"

namespace steward::rt {
namespace {

struct Range {
  uptr begin, end;
};
constexpr unsigned kMax = 1 << 14;
SpinLock lock;  // orders writers; readers see whole entries up to `count`
Range ranges[kMax];
unsigned count = 0;

}  // namespace

void declare_benign(uptr a, std::size_t size) {
  const Locked guard(lock);
  for (unsigned i = 0; i < count; ++i) {
    if (ranges[i].begin <= a && a + size <= ranges[i].end) return;
  }
  if (count == kMax) return;
  ranges[count] = {a, a + size};
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
}

bool is_benign(uptr a, std::size_t size) {
  const unsigned n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < n; ++i) {
    if (ranges[i].begin < a + size && a < ranges[i].end) return true;
  }
  return false;
}

}  // namespace steward::rt
