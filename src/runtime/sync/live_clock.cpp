#include "runtime/sync/live_clock.h"

#include "runtime/mem/pages.h"

namespace steward::rt {
namespace {

// Memory of clocks: in banks, each with a lock, since whoever drops a clock last may be any thread.
constexpr unsigned kBanks = 16;
struct alignas(64) Bank {
  explicit Bank(PageSource& pages) : pool(pages, SharedPages::kFirstChunk) {}
  SpinLock lock;
  Pool pool;
};
SharedPages pages;
Bank* banks = nullptr;

Bank& bank(unsigned i) {
  if (__atomic_load_n(&banks, __ATOMIC_ACQUIRE) == nullptr) {
    static SpinLock making;
    const Locked guard(making);
    if (banks == nullptr) {
      auto* all = static_cast<Bank*>(sys::map(kBanks * sizeof(Bank)));
      for (unsigned k = 0; k < kBanks; ++k) new (&all[k]) Bank(pages);
      __atomic_store_n(&banks, all, __ATOMIC_RELEASE);
    }
  }
  return banks[i];
}

}  // namespace

SharedClock::Body* SharedClock::make() {
  static std::atomic<unsigned> next{0};
  const unsigned i = next.fetch_add(1, std::memory_order_relaxed) % kBanks;
  Bank& b = bank(i);
  const Locked guard(b.lock);
  return b.pool.make<Body>(b.pool, i);
}

void SharedClock::drop(Body* body) {
  if (body == nullptr || body->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Bank& b = bank(body->bank);
  const Locked guard(b.lock);
  b.pool.destroy(body);
}

SharedClock::Body* SharedClock::own() {
  if (body_ == nullptr) return body_ = make();
  if (body_->references.load(std::memory_order_acquire) == 1) return body_;
  Body* mine = make();
  {
    const Locked guard(bank(mine->bank).lock);
    mine->clock.copy(body_->clock);
  }
  drop(body_);
  return body_ = mine;
}

void SharedClock::set(Slot s, Clock c) {
  Body* b = own();
  const Locked guard(bank(b->bank).lock);
  b->clock.set(s, c);
}

void SharedClock::join(const SharedClock& o) {
  if (covers(o)) return;
  Body* b = own();
  const Locked guard(bank(b->bank).lock);
  b->clock.join(o.body_->clock);
}

void SharedClock::copy(const SharedClock& o) {
  if (o.body_ == nullptr) return clear();
  if (body_ == o.body_ || body_ == nullptr ||
      body_->references.load(std::memory_order_acquire) != 1) {
    Body* mine = make();
    {
      const Locked guard(bank(mine->bank).lock);
      mine->clock.copy(o.body_->clock);
    }
    drop(body_);
    body_ = mine;
    return;
  }
  const Locked guard(bank(body_->bank).lock);
  body_->clock.copy(o.body_->clock);
}

void SharedClock::share(const SharedClock& o) {
  if (body_ == o.body_) return;
  if (o.body_ != nullptr) o.body_->references.fetch_add(1, std::memory_order_relaxed);
  drop(body_);
  body_ = o.body_;
}

void SharedClock::clear() {
  drop(body_);
  body_ = nullptr;
}

void lock_clocks_for_fork() {
  for (unsigned i = 0; i < kBanks; ++i) bank(i).lock.lock();
}
void unlock_clocks_after_fork() {
  for (unsigned i = 0; i < kBanks; ++i) bank(i).lock.unlock();
}

}  // namespace steward::rt
