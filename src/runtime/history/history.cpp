#include "runtime/history/history.h"

#include <algorithm>

namespace steward::rt {

void History::start(unsigned log2_words) {
  mask_ = (std::uint64_t{1} << log2_words) - 1;
  bytes_ = (mask_ + 1) * sizeof(std::uint64_t);
  words_ = static_cast<std::uint64_t*>(sys::map(bytes_));
  at_ = 0;
  published_.store(0, std::memory_order_relaxed);
  epoch_ = 0;
  depth_ = 0;
}

void History::release() {
  if (words_ != nullptr) sys::unmap(words_, bytes_);
  words_ = nullptr;
  bytes_ = 0;
  published_.store(0, std::memory_order_release);
}

void History::inherit(History& o) {
  mask_ = o.mask_;
  at_ = o.at_;
  words_ = o.words_;
  bytes_ = o.bytes_;
  const std::size_t used = (at_ * sizeof(std::uint64_t) + 4095) & ~std::size_t{4095};
  if (used < bytes_) {  // it never came round: the rest was not touched
    sys::unmap(reinterpret_cast<char*>(words_) + used, bytes_ - used);
    bytes_ = used;
    if (used == 0) words_ = nullptr;
  }
  published_.store(at_, std::memory_order_release);
  o.words_ = nullptr;
  o.release();
}

void History::begin_chunk(const Frame* base, const Frame* top) {
  const auto depth = static_cast<std::size_t>(top - base);
  const std::size_t kept = std::min<std::size_t>(depth, kMaxStack);
  put(tagged(Tag::Stack, kept));
  for (const Frame* f = top - kept; f != top; ++f) put(f->pc);
  epoch_ = 0;
  depth_ = depth;
  ++generation_;
}

// The second access of a place tells the step of its walk.
bool History::begins_walk(Place& place, std::uint64_t key, uptr pc, uptr address,
                          std::size_t size) {
  if (place.pc != pc || place.key != key || place.second == nullptr) return false;
  if (*place.second >> 48 != 1) return false;
  const uptr stride = address - (place.next - place.stride);
  if (stride == 0 || stride % size != 0 || stride / size > kMaxStep) return false;
  place.second[-1] += (stride / size - 1) << kStepAt;
  *place.second += kOneMore;
  place.stride = stride;
  place.next = address + stride;
  return true;
}

void History::note_new(AccessKind kind, uptr address, std::size_t size, uptr pc, Epoch30 epoch,
                       const Frame* base, const Frame* top, const Frame*& low) {
  const bool element = size <= 16 && (size & (size - 1)) == 0;
  Place& place = place_of(pc);
  if (element && low == top && begins_walk(place, key_of(kind, size, epoch), pc, address, size)) {
    return;
  }
  // The most that one access may take: the calls since, and four words.
  const std::uint64_t used = at_ & (kChunkWords - 1);
  const auto calls = static_cast<std::size_t>(top - low);
  if (used == 0 || used + calls + 4 > kChunkWords) {
    while ((at_ & (kChunkWords - 1)) != 0) put(0);
    begin_chunk(base, top);
  } else if (low != top || depth_ != static_cast<std::size_t>(top - base)) {
    const auto common = static_cast<std::size_t>(low - base);
    if (common < depth_) put(tagged(Tag::Pop, depth_ - common));
    for (const Frame* f = low; f != top; ++f) put(tagged(Tag::Push, f->pc));
    depth_ = static_cast<std::size_t>(top - base);
    ++generation_;
  }
  low = top;
  if (epoch != epoch_) {
    put(tagged(Tag::Epoch, epoch));
    epoch_ = epoch;
  }
  const auto form = element ? static_cast<unsigned>(__builtin_ctzll(size)) : kRange;
  const std::uint64_t count = element ? 1 : std::min<std::size_t>(size, 0xffff);
  put(tagged(Tag::Access, static_cast<std::uint64_t>(kind) << kKindAt | std::uint64_t{1} << kStepAt |
                              std::uint64_t{form} << kFormAt | (address & kAddress)));
  put(count << 48 | pc);
  if (element) {
    place = {pc, address + size, key_of(kind, size, epoch), &words_[(at_ - 1) & mask_], size};
  }
  published_.store(at_, std::memory_order_release);
}

struct History::Scan {
  Epoch30 epoch;
  AccessKind kind;
  uptr address;
  std::size_t size;
  Stack* out;
};

// Did an access, as its first word has it, touch a byte of [begin, begin + size)?
bool History::touches(std::uint64_t first, std::uint64_t count, uptr begin, std::size_t size) {
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

// Replays a chunk; true if the access is in it (the last one that fits wins).
bool History::scan_chunk(std::uint64_t begin, std::uint64_t end, Scan& scan) const {
  uptr calls[kMaxStack * 2];
  std::size_t depth = 0;    // of `calls`: the innermost ones, at most
  Epoch30 now = 0;
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
        for (std::uint64_t n = 0; n < payload && n < kMaxStack && i < end; ++n) push(word(i++));
        break;
      case Tag::Push: push(payload); break;
      case Tag::Pop: depth -= std::min<std::size_t>(depth, payload); break;
      case Tag::Epoch: now = static_cast<Epoch30>(payload); break;
      case Tag::Access: {
        if (i == end) return found;
        const std::uint64_t second = word(i++);
        if (now != scan.epoch || static_cast<AccessKind>(payload >> kKindAt) != scan.kind) break;
        if (!touches(payload, second >> 48, scan.address, scan.size)) break;
        found = true;
        scan.out->size = 0;
        scan.out->push(second & kPc);
        for (std::size_t k = depth; k-- > 0;) scan.out->push(calls[k]);
        break;
      }
      default: return found;  // padding
    }
  }
  return found;
}

bool History::restore(Epoch30 epoch, AccessKind kind, uptr address, std::size_t size,
                      Stack& out) const {
  const std::uint64_t end = published_.load(std::memory_order_acquire);
  if (end == 0 || words_ == nullptr) return false;
  Scan scan{epoch, kind, address, size, &out};
  std::uint64_t chunk = (end - 1) & ~std::uint64_t{kChunkWords - 1};
  for (std::uint64_t chunk_end = end;;) {
    if (scan_chunk(chunk, chunk_end, scan)) {
      // Still there? The writer may have come round meanwhile.
      return published_.load(std::memory_order_acquire) + kChunkWords <= chunk + mask_ + 1;
    }
    chunk_end = chunk;
    if (chunk == 0) return false;
    chunk -= kChunkWords;
    if (end - chunk > mask_ + 1 - kChunkWords) return false;
  }
}

}  // namespace steward::rt
