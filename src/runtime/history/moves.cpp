#include "runtime/history/moves.h"

#include "runtime/mem/lock.h"

namespace steward::rt {
namespace {

struct Move {
  uptr from, to;
  std::size_t bytes;
};
constexpr std::uint64_t kKept = 1 << 16;
SpinLock lock;          // guards the rest
Move* moves = nullptr;  // a ring
std::uint64_t count = 0;

}  // namespace

void note_move(uptr from, uptr to, std::size_t bytes) {
  const Locked guard(lock);
  if (moves == nullptr) moves = static_cast<Move*>(sys::map(kKept * sizeof(Move)));
  moves[count++ % kKept] = {from, to, bytes};
}

MovedFrom::MovedFrom(uptr now) : address_(now) {
  const Locked guard(lock);
  next_ = count;
}

bool MovedFrom::next() {
  const Locked guard(lock);
  // The oldest may have been overwritten since the last call.
  while (next_ > 0 && count - (next_ - 1) <= kKept) {
    const Move& m = moves[--next_ % kKept];
    if (address_ - m.to >= m.bytes) continue;
    address_ = m.from + (address_ - m.to);
    return true;
  }
  return false;
}

}  // namespace steward::rt
