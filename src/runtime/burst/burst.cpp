#include "runtime/burst/burst.h"

#include "runtime/options.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {
namespace {

// splitmix64, from a place that the seed and the thread's number choose.
std::uint64_t draw(ThreadState& t) {
  if (t.draws == 0) {
    const std::uint64_t seed = options().sample_seed != 0 ? options().sample_seed : sys::random();
    t.draws = (seed ^ (std::uint64_t{t.info->id} + 1) << 32) | 1;
  }
  std::uint64_t z = t.draws += 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}

}  // namespace

bool begin_execution(ThreadState& t, uptr function) {
  if (t.info == nullptr) return true;  // a thread that is not known, and keeps no frames
  // A signal handler must not find the table while it grows.
  const RuntimeScope scope(t);
  const bool sampled = t.bursts.sample(function, options().burst, [&] { return draw(t); });
  ++t.executions[sampled ? 1 : 0];
  return sampled;
}

}  // namespace steward::rt
