// What a thread did, so that the stack of an earlier access can be shown when it turns out to race.
//
// Only accesses that changed the shadow are written here (a same-epoch access did not), with the
// calls between them as a difference: calls that returned in the meantime cost nothing. So the ring
// reaches far back. It is split in chunks that each begin with the stack and the locks held.
//
// Written by its thread alone. Readers (a report of another thread) check afterwards that the chunk
// they read was not overwritten.
//
// With PACER the ring begins small. Before a chunk is written over, it is asked whether what is in
// it can race any more; if so, the ring grows instead, up to its full size. So a thread that
// synchronises has little, and one that does not has as much as ever.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/memory/pool.h"
#include "core/memory/prefetch.h"
#include "event/race.h"
#include "runtime/mem/lock.h"
#include "runtime/thread/thread_fields.h"

namespace steward::rt {

inline constexpr unsigned kMaxStack = 64;
struct Stack {  // innermost first
  unsigned size = 0;
  uptr pcs[kMaxStack];
  void push(uptr pc) {
    if (size < kMaxStack) pcs[size++] = pc;
  }
};

// An earlier access, as the history has it.
struct Restored {
  Stack stack;
  uptr end = 0;  // the same access, or walk, touched all from what was asked for to here
  std::uint32_t held_count = 0;
  std::uint32_t held[ThreadFields::kMaxHeld];  // ids of locks
};

// The ring itself: all that is needed to read it.
class Ring {
 public:
  // What a thread that has ended wrote, in no more memory than it needs: a copy of little, else the
  // mapping itself, which `o` then no longer has.
  void inherit(Ring& o, Pool& pool);
  void release(Pool& pool);  // of a ring that inherited
  std::size_t bytes() const { return bytes_; }
  std::uint64_t words() const { return mask_ + 1; }  // in use
  bool is_empty() const { return published_.load(std::memory_order_relaxed) == 0; }
  // The access of that epoch which touched a byte of the range. Any thread.
  bool restore(Epoch30 epoch, AccessKind kind, uptr address, std::size_t size, Restored& out) const;
  // In the child: its thread is not in this process, and may have been about to grow it.
  void unlock_after_fork() { lock_.unlock(); }

 protected:
  static constexpr unsigned kChunkWords = 1024;
  static constexpr unsigned kFirst = 4 * kChunkWords;
  static constexpr std::size_t kCopied = 8192;  // bytes
  enum class Tag : std::uint64_t { Access = 1, Push, Pop, Epoch, Stack, Taken, Given };

  // An access is two words:
  //   tag (8) | kind (2) | step (4) | form (3) | address (47)        count (16) | pc (48)
  // form 0-4: `count` elements of 1 << form bytes, one every `step` elements. kRange: `count`
  // bytes, 0xffff for that many or more.
  static constexpr unsigned kRange = 7;
  static constexpr std::uint64_t kMaxStep = 15;
  static constexpr std::uint64_t kOneMore = std::uint64_t{1} << 48;
  static constexpr std::uint64_t kFull = std::uint64_t{0xffff} << 48;
  static constexpr unsigned kKindAt = 54, kStepAt = 50, kFormAt = 47;
  static constexpr uptr kAddress = (uptr{1} << kFormAt) - 1;
  static constexpr uptr kPc = kOneMore - 1;

  // The stack: tag (8) | epoch (30) at that time | depth (8), and as many words.
  static constexpr unsigned kEpochAt = 8;
  static constexpr std::uint64_t kDepth = (1u << kEpochAt) - 1;
  static_assert(kMaxStack <= kDepth);
  static bool is_stack(std::uint64_t word) {
    return word >> 56 == static_cast<unsigned>(Tag::Stack);
  }
  static Epoch30 epoch_at(std::uint64_t word) {
    return static_cast<Epoch30>((word & kPayload) >> kEpochAt);
  }

  static constexpr std::uint64_t kPayload = (std::uint64_t{1} << 56) - 1;
  static constexpr std::uint64_t tagged(Tag tag, std::uint64_t payload) {
    return static_cast<std::uint64_t>(tag) << 56 | (payload & kPayload);
  }

  std::uint64_t* words_ = nullptr;
  std::size_t bytes_ = 0;                    // mapped at words_
  std::uint64_t mask_ = 0;                   // of the words in use; may grow, under the lock
  std::atomic<std::uint64_t> published_{0};  // words ever written, for a reader to look at
  mutable SpinLock lock_;                    // held by readers, and to grow

 private:
  struct Scan;
  static bool touches(std::uint64_t first, std::uint64_t count, uptr begin, std::size_t size);
  static uptr extent(std::uint64_t first, std::uint64_t count, uptr begin, std::size_t size);
  bool scan_chunk(std::uint64_t begin, std::uint64_t end, Scan& scan) const;
};

// Can an access of that epoch, or an earlier one of its thread's, race no more? May say no for
// want of a lock. Null: there is no telling, and rings have their full size from the start.
inline bool (*can_race_no_more)(Epoch30 e) = nullptr;

class History : public Ring {
 public:
  void start(unsigned log2_words);  // maps the ring, if it has none

  // An access of `t` that changed the shadow. `t.low` is the lowest its stack has been since the
  // last access noted, and is brought up to the top.
  __attribute__((always_inline)) void note(ThreadFields& t, AccessKind kind, uptr address,
                                           std::size_t size, uptr pc) {
    if (!note_here(t, kind, address, size, pc)) note_new(t, kind, address, size, pc);
  }
  // The same if it can be done at once, with the calls on the stack as they were; false if not.
  __attribute__((always_inline)) bool note_here(const ThreadFields& t, AccessKind kind,
                                                uptr address, std::size_t size, uptr pc) {
    const bool element = size <= 16 && (size & (size - 1)) == 0;
    if (!element || t.low != noted_top_ || t.top != noted_top_) return false;
    Place& place = place_of(pc);
    const std::uint64_t key = key_of(kind, size, t.epoch);
    if (place.pc == pc && place.key == key && goes_on(place, address, size)) return true;
    // Its two words alone, if epoch and chunk are those of the last one.
    const std::uint64_t used = at_ & (kChunkWords - 1);
    if (t.epoch != epoch_ || used == 0 || used + 2 > kChunkWords) return false;
    put(&words_[at_ & mask_], place, kind, address, size, pc, key);
    return true;
  }
  // Elements one after the other, at most 65,535 of 1, 2, 4, 8 or 16 bytes.
  void note_walk(ThreadFields& t, AccessKind kind, uptr address, std::size_t element,
                 std::uint64_t count, uptr pc) {
    note_new(t, kind, address, element, pc, count);
  }
  void note_lock(std::uint32_t id, bool taken);
  // Nothing more for a while, calls and locks neither: the next access begins with the stack.
  void pause() {
    paused_ = true;
    epoch_ = 0;
    next_generation();
  }
  // None of it will be asked for any more: what comes next takes the memory that was written first,
  // so that one who writes little at a time has touched little.
  void begin_anew() {
    at_ = (at_ + mask_) & ~mask_;
    pause();
  }
  // The same, of a thread that is paused: the memory goes back. Under the registry's lock.
  void give_back();

 private:
  // The accesses noted last, by place in the program: one that goes on in the same steps makes it
  // longer instead, while epoch, stack and chunk are the same. A loop walks several arrays at once.
  struct Place {
    uptr pc;
    uptr next;  // where the walk would go on
    std::uint64_t key;
    std::uint64_t* second;  // of the access's two words
    uptr stride;
  };
  static constexpr unsigned kPlaces = 128;
  // A call takes five bytes: those of a loop of half a kilobyte do not meet.
  Place& place_of(uptr pc) { return places_[pc / 4 % kPlaces]; }
  std::uint64_t key_of(AccessKind kind, std::size_t size, Epoch30 epoch) const {
    return std::uint64_t{generation_} << 40 | static_cast<std::uint64_t>(size & 0xff) << 32 |
           static_cast<std::uint64_t>(kind) << 30 | epoch;
  }
  // Where the place's last access ended, or, if it is the second, a step from it.
  __attribute__((always_inline)) static bool goes_on(Place& place, uptr address, std::size_t size) {
    if (place.next != address) return begins_walk(place, address, size);
    if (*place.second >= kFull) return false;
    *place.second += kOneMore;
    place.next += place.stride;
    return true;
  }
  // The second access of a place tells the step of its walk.
  __attribute__((always_inline)) static bool begins_walk(Place& place, uptr address,
                                                         std::size_t size) {
    return is_near(place, address, size) &&
           begin_walk(place, address, size, step_to(place, address));
  }
  static uptr step_to(const Place& place, uptr address) {
    return address - (place.next - place.stride);
  }
  static bool is_near(const Place& place, uptr address, std::size_t size) {
    return step_to(place, address) - 1 < kMaxStep * size;
  }
  __attribute__((noinline)) static bool begin_walk(Place& place, uptr address, std::size_t size,
                                                   uptr stride) {
    if (place.second == nullptr || *place.second >> 48 != 1) return false;
    if ((stride & (size - 1)) != 0) return false;
    place.second[-1] += (stride / size - 1) << kStepAt;
    *place.second += kOneMore;
    place.stride = stride;
    place.next = address + stride;
    return true;
  }
  // An access of one element.
  __attribute__((always_inline)) void put(std::uint64_t* to, Place& place, AccessKind kind,
                                          uptr address, std::size_t size, uptr pc,
                                          std::uint64_t key) {
    const auto form = static_cast<unsigned>(__builtin_ctzll(size));
    to[0] = tagged(Tag::Access, static_cast<std::uint64_t>(kind) << kKindAt |
                                    std::uint64_t{1} << kStepAt | std::uint64_t{form} << kFormAt |
                                    (address & kAddress));
    to[1] = kOneMore | pc;
    place = {pc, address + size, key, &to[1], size};
    at_ += 2;
    // The ring is larger than near caches, and a locked instruction waits for what was stored.
    constexpr std::uint64_t kAhead = 64;
    prefetch_line_to_write(&words_[(at_ + kAhead) & mask_]);
    published_.store(at_, std::memory_order_release);
  }
  void note_new(ThreadFields& t, AccessKind kind, uptr address, std::size_t size, uptr pc,
                std::uint64_t elements = 1);
  std::uint64_t* begin_chunk(ThreadFields& t);
  void make_room(ThreadFields& t);
  void next_generation();

  std::uint64_t at_ = 0;              // words ever written
  Epoch30 epoch_ = 0;                 // of the last epoch word in this chunk
  std::uint32_t generation_ = 0;      // of stack and chunk
  std::size_t depth_ = 0;             // of the stack as the ring has it
  const Frame* noted_top_ = nullptr;  // ... and its top
  bool paused_ = false;
  Place places_[kPlaces];  // zero as it is mapped: not touched before it is used
};

}  // namespace steward::rt
