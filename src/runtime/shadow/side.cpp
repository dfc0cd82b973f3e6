#include <algorithm>

#include "runtime/jumble/tool.h"
#include "runtime/lockset/discipline.h"
#include "runtime/mem/pages.h"
#include "runtime/shadow/alone.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/short_list.h"
#include "runtime/shadow/untouched.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/active.h"
#include "runtime/trace/tool.h"

namespace steward::rt {
namespace {

KernelPages pages;         // of what is gone soon
SharedPages stripe_pages;  // a program with few sides has them in many stripes

void note_sides(uptr a) {
  if (!has_sides(a)) __atomic_fetch_or(&layout.regions[a >> 16], kHasSides, __ATOMIC_RELAXED);
}
void forget_sides(uptr a) {
  __atomic_fetch_and(&layout.regions[a >> 16], static_cast<unsigned char>(~kHasSides),
                     __ATOMIC_RELAXED);
}

}  // namespace

Side* Stripe::make_side() {
  Side* side = free;
  if (side == nullptr) return pool.make<Side>();
  free = side->next_free;
  side->syncs = nullptr;
  return side;
}

void Stripe::drop(Side* side) {
  side->accesses.begin_anew(pool);
  side->forget();
  __atomic_store_n(&side->published, 0, __ATOMIC_RELAXED);
  side->next_free = free;
  free = side;
}

__attribute__((noinline)) Stripe* make_stripes() {
  static SpinLock making;
  const Locked guard(making);
  if (stripes == nullptr) {
    auto* all = static_cast<Stripe*>(sys::map(kStripes * sizeof(Stripe)));
    for (unsigned i = 0; i < kStripes; ++i) {
      new (&all[i]) Stripe(stripe_pages, SharedPages::kFirstChunk);
    }
    __atomic_store_n(&stripes, all, __ATOMIC_RELEASE);
  }
  return stripes;
}

void lock_stripes_for_fork() {
  stripe_of(0);
  for (unsigned i = 0; i < kStripes; ++i) stripes[i].lock.lock();
}
void unlock_stripes_after_fork(bool child) {
  for (unsigned i = 0; i < kStripes; ++i) stripes[i].lock.unlock();
  if (child) SideLock::in_child();
}

__attribute__((noinline)) void LockedSide::make(ShadowCell seen) {
  const uptr a = address_;
  side_ = stripe_.make_side();
  side_->accesses.lock.lock();  // somebody may come late to what it was, and then sees so
  for (;;) {
    side_->accesses.forget(0xff);
    if (Word(seen.write).is_plain() && crowd::is_in(Word(seen.read))) {
      for (const auto& e : ShortList::of({seen.write, 0})) side_->accesses.add(stripe_.pool, e);
      const Word reads(seen.read);
      const bool is_one = reads.low() == reads.high();  // each of its epochs comes once
      crowd::each_read(reads, [&](Epoch30 e, unsigned mask) {
        const AccessList::Entry read{e, AccessKind::Read, static_cast<AccessList::Mask>(mask)};
        if (is_one) return side_->accesses.append(stripe_.pool, read);
        side_->accesses.add(stripe_.pool, read);
      });
    } else {
      for (const auto& e : ShortList::of(seen)) side_->accesses.add(stripe_.pool, e);
    }
    note_sides(a);
    ThreadState& t = *current;
    if (kSamples && !t.sampling) owner::claim_for_all(a);
    const ShadowCell next{Word::side(side_).bits(), 0};
    if (owner::claim(t, a)) {
      const owner::Section section(t);
      if (owner::is(t, a) && cell_.exchange(seen, next)) return;
      continue;
    }
    const owner::Visit visit = owner::Visit::when_free(a);
    if (!cell_.exchange(seen, next)) continue;
    if (visit.was_undisturbed()) return;
    seen = cell_.load();
    if (seen == next) return;
  }
}

namespace {
// Whole halves that many threads have read, as crowds; this thread's epoch lasts.
bool gather(const AccessList& all, crowd::How how, ShadowCell& out) {
  if (!crowd::epoch_lasts(*current)) return false;
  Epoch30 writes[2] = {}, reads[2];
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned bytes = 0x0fu << 4 * half;
    Epoch30 epochs[crowd::kLargest];
    unsigned count = 0;
    for (const AccessList::Entry& e : all) {
      if (is_atomic(e.kind)) return false;
      const unsigned here = e.mask & bytes;
      if (here == 0) continue;
      if (here != bytes) return false;
      if (is_write(e.kind)) {
        if (writes[half] != 0) return false;
        writes[half] = e.epoch;
      } else {
        if (count == crowd::kLargest) return false;
        epochs[count++] = e.epoch;
      }
    }
    if (!crowd::make(epochs, count, reads[half], how)) return false;
  }
  out = {Word::halves(writes[0], writes[1]).bits(), Word::halves(reads[0], reads[1]).bits()};
  return true;
}

// A list of many reads, or one that is likely to become so, for this thread's epoch lasts.
void go_on_roll(Pool& pool, AccessList& all) {
  if constexpr (!crowd::kUsed) return;
  const ThreadState& t = *current;
  constexpr std::uint32_t kSome = 5;  // a few come and go more quickly as a list
  const bool lasts = crowd::epoch_lasts(t);
  if (!all.are_many() && (!lasts || all.size() < kSome)) return;
  Roll* const roll = Roll::hold_for(t, lasts);
  if (roll != nullptr && !all.go_on_roll(pool, *roll, t, t.epoch)) roll->let_go();
}
}  // namespace

__attribute__((noinline)) void LockedSide::give_back() {
  ShadowCell words;
  const auto how = current->beside.tries ? crowd::How::Rationed : crowd::How::Freely;
  current->beside.tries = false;
  if (!encode(side_->accesses.begin(), side_->accesses.end(), words) &&
      !gather(side_->accesses, how, words)) {
    return go_on_roll(stripe_.pool, side_->accesses);
  }
  if (crowd::is_in(Word(words.read))) crowd::note_region(address_);
  words = words.shown();
  stripe_.drop(side_);
  // The read word first: while the write word says side, nobody looks at it.
  __atomic_store_n(&cell_.read, words.read, __ATOMIC_RELAXED);
  __atomic_store_n(&cell_.write, words.write, __ATOMIC_RELEASE);
}

namespace {
// While checks are off nothing is known of any byte, but locks and atomics have their clocks.
bool is_clear(uptr a, uptr end) {
  if (kSamples && is_order_followed()) return is_untouched(a, end - a);
  if (!kTraces && !kSamples) return false;
  for (uptr r = a & ~uptr{0xffff}; r < end; r += 0x10000) {
    if (has_sides(r)) return false;
  }
  return true;
}
}  // namespace

void clear_shadow(uptr a, std::size_t bytes) {
  if constexpr (kLockset) discipline::cleared(a, bytes);
  clear_cells(a, bytes);
}

void clear_cells(uptr a, std::size_t bytes) {
  if constexpr (jumble::kEnabled) jumble::forget(a, bytes);
  if constexpr (kTraces) {
    if (bytes != 0) trace::event(*current, trace::Op::Clear, {.address = a, .size = bytes});
  }
  const uptr end = a + bytes;
  if (is_clear(a, end)) return;
  current->recent_runs.clear();
  auto clear_part = [](uptr g, unsigned from, unsigned to) {
    ShadowCell& cell = ShadowCell::of(g);
    ShadowCell seen = cell.load();
    if (seen.write == 0 && seen.read == 0) return;
    if (from == 0 && to == 8 && !Word(seen.write).is_side()) {
      // Nobody else may touch this memory now; if somebody does, it is as if before.
      cell.store(seen, {0, 0});
      return;
    }
    LockedSide side(g);
    side->accesses.forget(bytes_of(from, to));
    side->forget();
    end_syncs(side, g + from, g + to);
  };
  auto clear_granules = [&](uptr from, uptr to) {
    for (uptr g = from & ~uptr{7}; g < to; g += 8) {
      clear_part(g, g < from ? static_cast<unsigned>(from - g) : 0,
                 to - g < 8 ? static_cast<unsigned>(to - g) : 8);
    }
  };
  // 2 KiB of the program are a page of shadow: past a few pages it is cheaper to drop them.
  constexpr uptr kDrop = 32 * 1024;
  const uptr first = (a + 2047) & ~uptr{2047};
  const uptr last = end & ~uptr{2047};
  if (last <= first || last - first < kDrop) return clear_granules(a, end);
  clear_granules(a, first);
  clear_granules(last, end);
  for (uptr r = first; r < last; r = (r | 0xffff) + 1) {  // sides do not vanish with their page
    if (!has_sides(r)) continue;
    for (uptr g = r; g < std::min(last, (r | 0xffff) + 1); g += 8) {
      if (Word(ShadowCell::of(g).load().write).is_side()) clear_part(g, 0, 8);
    }
    if ((r & 0xffff) == 0 && r + 0x10000 <= last) forget_sides(r);
  }
  sys::discard(shadow_of(first), (last - first) * 2);
}

void move_shadow(uptr from, uptr to, std::size_t bytes) {
  if constexpr (kTraces) {
    if (bytes == 0) return;
    return trace::event(*current, trace::Op::Move, {.address = from, .size = bytes, .other = to});
  }
  const Moving moving;
  for (std::size_t i = 0; i < bytes; i += 8) {
    const ShadowCell seen = ShadowCell::of(from + i).load();
    if (!Word(seen.write).is_side()) {
      // A region with anything in it is somebody's.
      if (seen != ShadowCell{0, 0} && owner::is_nobodys(to + i)) {
        if (kSamples) {
          owner::claim_for_all(to + i);
        } else {
          (void)owner::claim(*current, to + i);
        }
      }
      ShadowCell& cell = ShadowCell::of(to + i);
      ShadowCell old = cell.load();
      if (crowd::is_in(Word(seen.read))) crowd::note_copy(to + i, Word(seen.read));
      while (!cell.exchange(old, seen)) {
      }
      continue;
    }
    // Two stripes are never held at once: the history passes through a list of nobody's.
    Pool scratch(pages);
    AccessList copy;
    {
      LockedSide source(from + i, false);
      if (!source) continue;
      for (const AccessList::Entry& e : source->accesses) copy.add(scratch, e);
    }
    {
      LockedSide target(to + i);
      target->accesses.forget(0xff);
      for (const AccessList::Entry& e : copy) target->accesses.add(target.pool(), e);
    }
    copy.begin_anew(scratch);
  }
}

}  // namespace steward::rt
