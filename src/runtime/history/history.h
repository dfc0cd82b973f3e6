// What a thread did, so that the stack of an earlier access can be shown when it turns out to race.
//
// Only accesses that changed the shadow are written here (a same-epoch access did not), with the
// calls between them as a difference: calls that returned in the meantime cost nothing. So the ring
// reaches far back. It is split in chunks that each begin with the stack as it was.
//
// Written by its thread alone. Readers (a report of another thread) check afterwards that the chunk
// they read was not overwritten.
#pragma once

#include <atomic>
#include <cstdint>

#include "event/race.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/shadow/word.h"

namespace steward::rt {

struct Frame {
  uptr pc;  // return address into the caller
  uptr sp;  // of the callee's entry: tells frames that a longjmp or an exception left behind
};

inline constexpr unsigned kMaxStack = 64;
struct Stack {  // innermost first
  unsigned size = 0;
  uptr pcs[kMaxStack];
  void push(uptr pc) {
    if (size < kMaxStack) pcs[size++] = pc;
  }
};

class History {
 public:
  void start(unsigned log2_words);  // maps the ring
  void release();                   // gives its memory back; nothing can be restored after
  // The history of a thread that has ended, in no more memory than it needs. `o` is empty after.
  void inherit(History& o);
  std::size_t bytes() const { return bytes_; }

  // An access that changed the shadow, made with the calls [base, top) on the stack; `low` is the
  // lowest the stack has been since the last access noted, and is brought up to `top`.
  void note(AccessKind kind, uptr address, std::size_t size, uptr pc, Epoch30 epoch,
            const Frame* base, const Frame* top, const Frame*& low) {
    if (pc == last_pc_ && address == last_end_ && kind == last_kind_ && epoch == epoch_ &&
        low == top && depth_ == static_cast<std::size_t>(top - base)) {
      std::uint64_t& second = words_[(at_ - 1) & mask_];
      if ((second >> 48) + size < 0xffff) {
        second += static_cast<std::uint64_t>(size) << 48;
        last_end_ += size;
        return;
      }
    }
    note_new(kind, address, size, pc, epoch, base, top, low);
  }

  // The stack of the access of that epoch which touched a byte of the range. Any thread.
  bool restore(Epoch30 epoch, AccessKind kind, uptr address, std::size_t size, Stack& out) const;

 private:
  void note_new(AccessKind kind, uptr address, std::size_t size, uptr pc, Epoch30 epoch,
                const Frame* base, const Frame* top, const Frame*& low);
  static constexpr unsigned kChunkWords = 1024;
  enum class Tag : std::uint64_t { Access = 1, Push, Pop, Epoch, Stack };

  static constexpr std::uint64_t kPayload = (std::uint64_t{1} << 56) - 1;
  static constexpr std::uint64_t tagged(Tag tag, std::uint64_t payload) {
    return static_cast<std::uint64_t>(tag) << 56 | (payload & kPayload);
  }

  void begin_chunk(const Frame* base, const Frame* top);
  void put(std::uint64_t w) {
    words_[at_ & mask_] = w;
    ++at_;
  }
  struct Scan;
  bool scan_chunk(std::uint64_t begin, std::uint64_t end, Scan& scan) const;

  std::uint64_t* words_ = nullptr;
  std::size_t bytes_ = 0;              // mapped at words_
  std::uint64_t mask_ = 0;
  std::uint64_t at_ = 0;               // words ever written
  std::atomic<std::uint64_t> published_{0};  // words that a reader may look at
  Epoch30 epoch_ = 0;                  // of the last epoch word in this chunk
  // The last access noted: one that goes on where it ended makes it longer instead.
  uptr last_pc_ = 0;
  uptr last_end_ = 0;
  AccessKind last_kind_{};
  std::size_t depth_ = 0;              // of the stack as the ring has it
};

}  // namespace steward::rt
