#include "runtime/history/stack_depot.h"

#include <unwind.h>

#include "runtime/mem/lock.h"
#include "runtime/sample/period.h"

namespace steward::rt {
namespace {

struct Kept {
  std::uint64_t hash;
  std::uint32_t next;  // in its bucket
  std::uint32_t size;
  std::uint32_t pcs;  // index of the first
};

constexpr std::uint32_t kFirstBuckets = 1 << 10, kMostBuckets = 1 << 18;
constexpr std::size_t kMaxKept = std::size_t{1} << 24;
constexpr std::size_t kMaxPcs = std::size_t{1} << 30;

SpinLock lock;                     // guards everything below
std::uint32_t* buckets = nullptr;  // a page at first: few programs have many stacks
std::uint32_t bucket_count = 0;
Kept* kept = nullptr;  // index 0 unused
uptr* pcs = nullptr;
std::uint32_t kept_count = 1;
std::uint32_t pc_count = 0;

std::uint64_t mixed(std::uint64_t h, uptr pc) {
  return (h ^ pc) * 0x9e37'79b9'7f4a'7c15u;
}
std::uint64_t hash_of(const Stack& s) {
  std::uint64_t h = s.size;
  for (unsigned i = 0; i < s.size; ++i) h = mixed(h, s.pcs[i]);
  return h ^ h >> 29;
}

}  // namespace

namespace {
void make_buckets(std::uint32_t count) {
  if (buckets != nullptr) sys::unmap(buckets, bucket_count * sizeof *buckets);
  buckets = static_cast<std::uint32_t*>(sys::map(count * sizeof *buckets));
  bucket_count = count;
  for (std::uint32_t i = 1; i < kept_count; ++i) {
    std::uint32_t& bucket = buckets[kept[i].hash % count];
    kept[i].next = bucket;
    bucket = i;
  }
}
}  // namespace

StackId keep_stack(const Stack& s) {
  const std::uint64_t h = hash_of(s);
  const Locked guard(lock);
  if (kept == nullptr) {
    make_buckets(kFirstBuckets);
    kept = static_cast<Kept*>(sys::map(kMaxKept * sizeof *kept));
    pcs = static_cast<uptr*>(sys::map(kMaxPcs * sizeof *pcs));
  }
  if (kept_count > 2 * bucket_count && bucket_count < kMostBuckets) make_buckets(4 * bucket_count);
  std::uint32_t& bucket = buckets[h % bucket_count];
  for (std::uint32_t i = bucket; i != 0; i = kept[i].next) {
    if (kept[i].hash == h && kept[i].size == s.size) return StackId{i};
  }
  if (kept_count == kMaxKept || pc_count + s.size > kMaxPcs) return StackId::None;
  const std::uint32_t id = kept_count++;
  kept[id] = {h, bucket, s.size, pc_count};
  for (unsigned i = 0; i < s.size; ++i) pcs[pc_count++] = s.pcs[i];
  bucket = id;
  return StackId{id};
}

// Programs allocate in the same places again and again, and the depot has one lock for all.
StackId keep_here(ThreadState& t, uptr pc) {
  std::uint64_t h = mixed(0, pc);
  if (stack_is_known(t)) {
    const Frame* const last = t.top - t.base > kMaxStack ? t.top - kMaxStack : t.base;
    for (const Frame* f = t.top; f != last;) h = mixed(h, (--f)->pc);
  }
  h ^= h >> 29;
  constexpr unsigned kLast = ThreadState::kKnownInSet - 1;
  ThreadState::KnownStack* const set = t.known_stacks[h % ThreadState::kKnownSets];
  if (set[0].hash == h) return set[0].stack;
  unsigned at = 1;
  while (at < kLast && set[at].hash != h) ++at;
  const ThreadState::KnownStack found =
      set[at].hash == h ? set[at] : ThreadState::KnownStack{h, keep_stack(stack_of(t, pc))};
  for (; at > 0; --at) set[at] = set[at - 1];
  set[0] = found;
  return found.stack;
}

Stack kept_stack(StackId id) {
  Stack s;
  const auto i = static_cast<std::uint32_t>(id);
  if (i == 0) return s;
  const Locked guard(lock);
  for (std::uint32_t k = 0; k < kept[i].size; ++k) s.push(pcs[kept[i].pcs + k]);
  return s;
}

void lock_depot_for_fork() {
  lock.lock();
}
void unlock_depot_after_fork() {
  lock.unlock();
}

Stack stack_of(const ThreadState& t, uptr pc) {
  Stack s;
  if (pc != 0) s.push(pc);
  if (!stack_is_known(t)) return s;
  for (const Frame* f = t.top; f != t.base && s.size < kMaxStack;) s.push((--f)->pc);
  return s;
}

Stack unwound_stack(const ThreadState& t, uptr pc) {
  struct Walk {
    uptr from;
    bool reached;
    Stack stack;
  } walk{pc, false, {}};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* p) {
        auto& w = *static_cast<Walk*>(p);
        const uptr at = _Unwind_GetIP(context);
        w.reached = w.reached || at == w.from;  // above are our own frames
        if (w.reached && at != 0) w.stack.push(at);
        return w.stack.size < kMaxStack ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &walk);
  return walk.stack.size > 0 ? walk.stack : stack_of(t, pc);
}

}  // namespace steward::rt
