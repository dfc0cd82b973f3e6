// A thread's or an object's vector clock, and the name of the value it had at a release: who has
// received that value, or a later one of the same thread, needs no join.
//
// FastTrack: a clock is the holder's own, and its thread advances at each release, so that an epoch
// names the value. PACER: while a thread does not sample its clock stands still, so that releases
// share one immutable clock (the paper's 3.2), and versions name its values.
#pragma once

#include "core/clock/vector_clock.h"
#include "core/clock/version.h"
#include "runtime/mem/lock.h"
#include "runtime/tool.h"

namespace steward::rt {

// A VectorClock that several hold until one of them changes it: that one then has its own.
class SharedClock {
 public:
  explicit SharedClock(Pool&) {}  // its memory is nobody's in particular
  SharedClock(const SharedClock&) = delete;
  SharedClock& operator=(const SharedClock&) = delete;
  ~SharedClock() { clear(); }

  Clock operator[](Slot s) const { return body_ == nullptr ? 0 : body_->clock[s]; }
  bool covers(Epoch e) const { return e.clock() <= (*this)[e.slot()]; }
  bool covers(const SharedClock& o) const {
    if (o.body_ == nullptr || o.body_ == body_) return true;
    return body_ != nullptr && body_->clock.covers(o.body_->clock);
  }
  bool empty() const { return body_ == nullptr; }

  void set(Slot s, Clock c);
  void join(const SharedClock& o);
  void copy(const SharedClock& o);   // deep
  void share(const SharedClock& o);  // shallow
  void clear();

 private:
  struct Body;
  Body* own();  // to write to
  static Body* make();
  static void drop(Body* b);

  struct Body {
    explicit Body(Pool& pool, unsigned b) : clock(pool), bank(b) {}
    VectorClock clock;
    unsigned bank;  // whose memory it is
    std::atomic<std::uint32_t> references{1};
  };
  Body* body_ = nullptr;
};

void lock_clocks_for_fork();
void unlock_clocks_after_fork();

// v@t in one word. Minimal: nothing was released. Top: no one thread's value.
class VersionName {
 public:
  constexpr VersionName() = default;
  constexpr VersionName(Slot s, Version v) : word_(std::uint64_t{raw(s)} << kBits | v) {}
  static constexpr VersionName from_word(std::uint64_t w) {
    VersionName n;
    n.word_ = w;
    return n;
  }
  static constexpr VersionName top() { return from_word(kTop); }
  constexpr std::uint64_t word() const { return word_; }
  constexpr Slot slot() const { return Slot{static_cast<std::uint32_t>(word_ >> kBits)}; }
  constexpr Version version() const { return word_ & kVersion; }
  constexpr bool is_minimal() const { return version() == 0; }
  constexpr bool operator==(const VersionName&) const = default;

 private:
  static constexpr unsigned kBits = 48;
  static constexpr std::uint64_t kVersion = (std::uint64_t{1} << kBits) - 1;
  static constexpr std::uint64_t kTop = kVersion;  // 2^48 versions of slot 0: never reached
  std::uint64_t word_ = 0;
};

#if STEWARD_SAMPLES
using LiveClock = SharedClock;
using ReleaseName = VersionName;
inline constexpr ReleaseName kMixed = VersionName::top();
#else
using LiveClock = VectorClock;
using ReleaseName = Epoch;
inline constexpr ReleaseName kMixed{Slot{0x7fff'ffff}, 1};  // covered by no clock
#endif

}  // namespace steward::rt
