#include "runtime/history/history.h"

#include <algorithm>

namespace steward::rt {

void History::start(unsigned log2_words) {
  if (words_ == nullptr) {
    bytes_ = sizeof(std::uint64_t) << log2_words;
    words_ = static_cast<std::uint64_t*>(sys::map(bytes_));
  }
  const std::uint64_t words = bytes_ / sizeof(std::uint64_t);
  mask_ = (can_race_no_more == nullptr ? words : std::min<std::uint64_t>(words, kFirst)) - 1;
  at_ = 0;
  published_.store(0, std::memory_order_relaxed);
  epoch_ = 0;
  depth_ = 0;
  noted_top_ = nullptr;
  paused_ = false;
  next_generation();
}

void Ring::inherit(Ring& o, Pool& pool) {
  const std::uint64_t written = o.published_.load(std::memory_order_relaxed);
  const std::size_t used = std::min(written, o.mask_ + 1) * sizeof(std::uint64_t);
  mask_ = o.mask_;
  words_ = o.words_;
  bytes_ = o.bytes_;
  if (used <= kCopied) {
    words_ = static_cast<std::uint64_t*>(pool.allocate(used));
    bytes_ = used;
    std::copy(o.words_, o.words_ + written, words_);
  } else {
    const std::size_t pages = (used + 4095) & ~std::size_t{4095};
    if (pages < bytes_) {  // the rest was not touched
      sys::unmap(reinterpret_cast<char*>(words_) + pages, bytes_ - pages);
      bytes_ = pages;
    }
    o.words_ = nullptr;
    o.bytes_ = 0;
  }
  o.published_.store(0, std::memory_order_relaxed);
  published_.store(written, std::memory_order_release);
}

void Ring::release(Pool& pool) {
  if (bytes_ <= kCopied) {
    pool.deallocate(words_, bytes_);
  } else {
    sys::unmap(words_, bytes_);
  }
  words_ = nullptr;
  bytes_ = 0;
  published_.store(0, std::memory_order_release);
}

void History::give_back() {
  if (!is_empty() && words_ != nullptr) sys::discard(reinterpret_cast<uptr>(words_), bytes_);
}

// Before a chunk is begun where one may be that is still wanted. All of it was noted before the one
// after it was begun.
void History::make_room(ThreadFields& t) {
  const std::uint64_t size = mask_ + 1;
  if (size * sizeof(std::uint64_t) == bytes_ || at_ < size || !is_stack(words_[at_ & mask_])) {
    return;
  }
  const std::uint64_t after = words_[(at_ + kChunkWords) & mask_];
  ++t.busy;  // there are locks: a signal's handler waits
  const bool wanted = !can_race_no_more(is_stack(after) ? epoch_at(after) : t.epoch);
  if (wanted) {
    // On where the ring used to end. What is before is in another order than it was written, which
    // matters to no reader: it is found by its epochs. But the latest chunk has the oldest behind
    // it from now on, whose epoch says no longer when the one before was full. Now it was.
    const Locked guard(lock_);
    std::uint64_t& oldest = words_[at_ & mask_];
    oldest = tagged(Tag::Stack, std::uint64_t{t.epoch} << kEpochAt | (oldest & kDepth));
    at_ = ((at_ + 2 * size - 1) & ~(2 * size - 1)) + size;
    mask_ = 2 * size - 1;
    published_.store(at_, std::memory_order_release);
  }
  --t.busy;
}

// The most that one access may take besides the calls since the last.
static constexpr std::uint64_t kMostOfAccess = 4;

void History::next_generation() {
  // A key has 24 bits of it: when they come round, no place may still have an old one.
  if ((++generation_ & 0xff'ffff) == 0) std::fill(places_, places_ + kPlaces, Place{});
}

// Begins a chunk with the stack as it is, and fills up the last one before. After a pause what
// is left of the last one will do: the stack and the locks held in it are replaced by those that
// come now. Where to write on.
std::uint64_t* History::begin_chunk(ThreadFields& t) {
  const auto depth = static_cast<std::size_t>(t.top - t.base);
  const std::size_t kept = std::min<std::size_t>(depth, kMaxStack);
  const std::uint64_t used = at_ & (kChunkWords - 1);
  if (!paused_ || used + 1 + kept + t.held_count + kMostOfAccess > kChunkWords) {
    while ((at_ & (kChunkWords - 1)) != 0) words_[at_++ & mask_] = 0;
  }
  if ((at_ & (kChunkWords - 1)) == 0) make_room(t);
  paused_ = false;
  // Who reads what was here must see that it goes.
  published_.store(at_, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  std::uint64_t* to = &words_[at_ & mask_];
  *to++ = tagged(Tag::Stack, std::uint64_t{t.epoch} << kEpochAt | kept);
  for (const Frame* f = t.top - kept; f != t.top; ++f) *to++ = f->pc;
  for (std::uint32_t i = 0; i < t.held_count; ++i) *to++ = tagged(Tag::Taken, t.held[i].id);
  epoch_ = 0;
  depth_ = depth;
  next_generation();
  return to;
}

void History::note_lock(std::uint32_t id, bool taken) {
  const std::uint64_t used = at_ & (kChunkWords - 1);
  if (used == 0 || paused_) return;  // the next chunk begins with all that are held
  words_[at_++ & mask_] = tagged(taken ? Tag::Taken : Tag::Given, id);
  next_generation();
}

void History::note_new(ThreadFields& t, AccessKind kind, uptr address, std::size_t size, uptr pc,
                       std::uint64_t elements) {
  const Epoch30 epoch = t.epoch;
  const bool element = size <= 16 && (size & (size - 1)) == 0;
  Place& place = place_of(pc);
  const std::uint64_t used = at_ & (kChunkWords - 1);
  const auto depth = static_cast<std::size_t>(t.top - t.base);
  std::uint64_t* const here = &words_[at_ & mask_];
  std::uint64_t* to = here;  // a chunk does not wrap
  std::uint64_t at = at_;
  if (used == 0 || paused_ ||
      used + static_cast<std::size_t>(t.top - t.low) + kMostOfAccess > kChunkWords) {
    to = begin_chunk(t);
    at = at_ + static_cast<std::uint64_t>(to - &words_[at_ & mask_]);
  } else if (t.low != t.top || depth_ != depth) {
    const auto common = static_cast<std::size_t>(t.low - t.base);
    if (common < depth_) *to++ = tagged(Tag::Pop, depth_ - common);
    for (const Frame* f = t.low; f != t.top; ++f) *to++ = tagged(Tag::Push, f->pc);
    at += static_cast<std::uint64_t>(to - here);
    depth_ = depth;
    next_generation();
  }
  t.low = noted_top_ = t.top;
  if (epoch != epoch_) {
    *to++ = tagged(Tag::Epoch, epoch);
    ++at;
    epoch_ = epoch;
  }
  const auto form = element ? static_cast<unsigned>(__builtin_ctzll(size)) : kRange;
  const std::uint64_t count = element ? elements : std::min<std::size_t>(size, 0xffff);
  to[0] = tagged(Tag::Access, static_cast<std::uint64_t>(kind) << kKindAt |
                                  std::uint64_t{1} << kStepAt | std::uint64_t{form} << kFormAt |
                                  (address & kAddress));
  to[1] = count << 48 | pc;
  if (element) place = {pc, address + elements * size, key_of(kind, size, epoch), &to[1], size};
  at_ = at + 2;
  published_.store(at_, std::memory_order_release);
}

struct Ring::Scan {
  Epoch30 epoch;
  AccessKind kind;
  uptr address;
  std::size_t size;
  Restored* out;
};

// Did an access, as its first word has it, touch a byte of [begin, begin + size)?
bool Ring::touches(std::uint64_t first, std::uint64_t count, uptr begin, std::size_t size) {
  const uptr address = first & kAddress;
  if (address >= begin + size) return false;
  const unsigned form = first >> kFormAt & 7;
  if (form == kRange) return count == 0xffff || address + count > begin;
  const uptr element = uptr{1} << form;
  const uptr stride = (first >> kStepAt & kMaxStep) * element;
  // The last element that begins before the end of what is asked for.
  const uptr last = std::min((begin + size - 1 - address) / stride, count - 1);
  return address + last * stride + element > begin;
}

// Where what it touched without a gap ends, from a range that it touches.
uptr Ring::extent(std::uint64_t first, std::uint64_t count, uptr begin, std::size_t size) {
  const uptr address = first & kAddress;
  const unsigned form = first >> kFormAt & 7;
  if (form == kRange) return count == 0xffff ? begin + size : address + count;
  if ((first >> kStepAt & kMaxStep) != 1) return begin + size;
  return address + (count << form);
}

// Replays a chunk; true if the access is in it (the last one that fits wins).
bool Ring::scan_chunk(std::uint64_t begin, std::uint64_t end, Scan& scan) const {
  uptr calls[kMaxStack * 2];
  std::size_t depth = 0;  // of `calls`: the innermost ones, at most
  Epoch30 now = 0;
  std::uint32_t held[ThreadFields::kMaxHeld];
  std::uint32_t held_count = 0;
  bool found = false;
  auto word = [&](std::uint64_t i) { return words_[i & mask_]; };
  auto push = [&](uptr pc) {
    if (depth == kMaxStack * 2) {  // forget the outer half
      std::copy(calls + kMaxStack, calls + depth, calls);
      depth = kMaxStack;
    }
    calls[depth++] = pc;
  };
  for (std::uint64_t i = begin; i < end;) {
    const std::uint64_t w = word(i++);
    const std::uint64_t payload = w & kPayload;
    switch (static_cast<Tag>(w >> 56)) {
      case Tag::Stack:
        depth = 0;
        held_count = 0;
        for (std::uint64_t n = 0; n < (payload & kDepth) && i < end; ++n) push(word(i++));
        break;
      case Tag::Push:
        push(payload);
        break;
      case Tag::Pop:
        depth -= std::min<std::size_t>(depth, payload);
        break;
      case Tag::Epoch:
        now = static_cast<Epoch30>(payload);
        break;
      case Tag::Taken:
        if (held_count < ThreadFields::kMaxHeld)
          held[held_count++] = static_cast<std::uint32_t>(payload);
        break;
      case Tag::Given:
        held_count = static_cast<std::uint32_t>(
            std::remove(held, held + held_count, static_cast<std::uint32_t>(payload)) - held);
        break;
      case Tag::Access: {
        if (i == end) return found;
        const std::uint64_t second = word(i++);
        if (now != scan.epoch || static_cast<AccessKind>(payload >> kKindAt) != scan.kind) break;
        if (!touches(payload, second >> 48, scan.address, scan.size)) break;
        found = true;
        Stack& stack = scan.out->stack;
        stack.size = 0;
        stack.push(second & kPc);
        for (std::size_t k = depth; k-- > 0;) stack.push(calls[k]);
        scan.out->end = extent(payload, second >> 48, scan.address, scan.size);
        scan.out->held_count = held_count;
        std::copy(held, held + held_count, scan.out->held);
        break;
      }
      default:
        return found;  // padding
    }
  }
  return found;
}

bool Ring::restore(Epoch30 epoch, AccessKind kind, uptr address, std::size_t size,
                   Restored& out) const {
  const Locked guard(lock_);
  const std::uint64_t end = published_.load(std::memory_order_acquire);
  if (end == 0 || words_ == nullptr) return false;
  Scan scan{epoch, kind, address, size, &out};
  std::uint64_t chunk = (end - 1) & ~std::uint64_t{kChunkWords - 1};
  for (std::uint64_t chunk_end = end;;) {
    if (scan_chunk(chunk, chunk_end, scan)) {
      // Still there? The writer may have come round meanwhile.
      std::atomic_thread_fence(std::memory_order_acquire);
      return published_.load(std::memory_order_relaxed) < chunk + mask_ + 1;
    }
    chunk_end = chunk;
    if (chunk == 0) return false;
    chunk -= kChunkWords;
    if (end - chunk > mask_) return false;
  }
}

}  // namespace steward::rt
