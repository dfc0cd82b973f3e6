#include "workload.h"

#include <algorithm>

namespace steward::bench {

namespace {

constexpr unsigned kWord = 8;
// Regions lie apart, as a heap, a data segment and stacks do.
constexpr Address kTable = 0x10'0000'0000;
constexpr Address kGuarded = 0x20'0000'0000;
constexpr Address kRacy = 0x30'0000'0000;
constexpr Address kOwn = 0x7000'0000'0000;
constexpr Address kOwnStride = Address{1} << 30;

// Synchronisation objects by range of their ids.
constexpr std::uint64_t kLock = 0x1000;
constexpr std::uint64_t kOwnLock = std::uint64_t{1} << 32;
constexpr std::uint64_t kVolatile = std::uint64_t{1} << 33;
constexpr std::uint64_t kBarrier = std::uint64_t{1} << 34;
constexpr std::uint64_t kVolatiles = 16;
constexpr std::uint64_t kOwnLocks = 4;  // a thread: locks that others take rarely or never

constexpr std::size_t kRecent = 6;      // variables a thread comes back to
constexpr unsigned kNewPercent = 7;     // of a walk's accesses: to the next variable
constexpr unsigned kJumpPercent = 15;   // of walks: to another array
constexpr unsigned kWritePercent = 20;  // of the variables of a walk
constexpr std::uint32_t kFunctions = 500;
constexpr std::uint32_t kLines = 32;  // of a function
constexpr std::uint64_t kBetweenRaces = 100'000;
constexpr std::uint64_t kBetweenBarriers = 1'000'000;

std::uint64_t mix(std::uint64_t v) {
  v *= 0x9e37'79b9'7f4a'7c15u;
  return v ^ (v >> 29);
}

// What a word holds is fixed: one variable of 8 bytes, or 2, 4 or 8 smaller ones.
unsigned variable_size(Address address) {
  const unsigned h = mix(address / kWord / 16) % 16;  // neighbours are alike, as in an array
  if (h < 9) return 8;
  if (h < 14) return 4;
  return h == 14 ? 2 : 1;
}

}  // namespace

Workload::Workload(const Shape& shape) : shape_(shape), random_(shape.seed) {
  const std::uint64_t words = std::max<std::uint64_t>(shape.variables, 1024);
  table_ = {kTable, words / 64};
  guarded_ = {kGuarded, words / 16};
  const std::uint64_t own = (words - table_.words - guarded_.words) / shape.threads;
  threads_.resize(shape.threads);
  for (std::uint32_t t = 0; t < shape.threads; ++t) {
    // Threads start at different offsets of their stacks and heaps.
    threads_[t].own = {kOwn + t * kOwnStride + t % 61 * 4096, std::max<std::uint64_t>(own, 32)};
    threads_[t].at = threads_[t].own.base;
    threads_[t].recent.assign(kRecent, threads_[t].own.base);
  }
}

bool Workload::next(std::vector<Event>& out) {
  if (over_) return false;
  out_ = &out;
  if (!begun_) {
    begin();
    begun_ = true;
  } else if (emitted_ >= shape_.events) {
    finish();
    over_ = true;
  } else {
    turn(static_cast<std::uint32_t>(random_.below(shape_.threads)));
  }
  return true;
}

// The first thread fills the table, before the others are there.
void Workload::begin() {
  for (std::uint64_t i = 0; i < table_.words; ++i) {
    if (i % kLines == 0) enter(0, 0);
    access(0, true, table_.base + i * kWord);
    if (i % kLines == kLines - 1 || i + 1 == table_.words) exit(0);
  }
  for (std::uint32_t t = 1; t < shape_.threads; ++t) emit_aimed(EventKind::Fork, 0, t);
  next_barrier_ = emitted_ + kBetweenBarriers;
  next_race_ = emitted_ + kBetweenRaces;
}

void Workload::turn(std::uint32_t t) {
  const std::uint64_t end = emitted_ + shape_.burst / 2 + random_.below(shape_.burst + 1);
  while (emitted_ < end) {
    if (static_cast<double>(syncs_) < shape_.sync * static_cast<double>(emitted_)) {
      synchronise(t);
    } else if (chance(18)) {
      read_table(t);
    } else {
      walk(t);
    }
  }
  if (emitted_ >= next_race_) race(t);
  if (emitted_ >= next_barrier_) barrier();
}

void Workload::finish() {
  for (std::uint32_t t = 1; t < shape_.threads; ++t) {
    emit(EventKind::ThreadEnd, t);
    emit_aimed(EventKind::Join, 0, t);
  }
}

// Along an array or through a structure, coming back to what was touched of late.
void Workload::walk(std::uint32_t t) {
  Thread& thread = threads_[t];
  Address& at = thread.at;
  if (chance(kJumpPercent)) at = thread.own.base + skewed(thread.own.words) * kWord;
  const Address end = thread.own.base + thread.own.words * kWord;
  enter(t, 1 + mix(at / 512) % (kFunctions - 2));
  const std::uint64_t steps = 4 + random_.below(24);
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (chance(kNewPercent)) {
      thread.recent[thread.oldest] = at;
      thread.oldest = (thread.oldest + 1) % kRecent;
      access(t, chance(kWritePercent), at);
      at += variable_size(at);
      if (at >= end) at = thread.own.base;
    } else {
      // Few of the variables in use are written, and those often.
      const Address again = thread.recent[random_.below(kRecent)];
      access(t, mix(again) % 100 < kWritePercent && chance(90), again);
    }
  }
  exit(t);
}

void Workload::read_table(std::uint32_t t) {
  const std::uint64_t start = skewed(table_.words);
  enter(t, kFunctions - 1);
  const std::uint64_t steps = 8 + random_.below(24);
  for (std::uint64_t i = 0; i < steps; ++i) {
    access(t, false, table_.base + (start + i) % table_.words * kWord);
  }
  exit(t);
}

void Workload::synchronise(std::uint32_t t) {
  if (chance(5)) return use_volatile(t);
  if (chance(60)) return update_guarded(t, kOwnLock + t * kOwnLocks + random_.below(kOwnLocks));
  update_guarded(t, kLock + skewed(shape_.locks));
}

void Workload::update_guarded(std::uint32_t t, std::uint64_t lock) {
  // Each lock guards its own words; an own lock those of one shared lock's size.
  const bool own = lock >= kOwnLock;
  const std::uint64_t each = std::max<std::uint64_t>(guarded_.words / shape_.locks, 4);
  const std::uint64_t number = own ? lock - kOwnLock + shape_.locks : lock - kLock;
  enter(t, 1 + number % (kFunctions - 2));
  emit_sync(EventKind::Acquire, t, lock, SyncMode::Exclusive);
  const std::uint64_t start = random_.below(each);
  const std::uint64_t steps = 2 + random_.below(8);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const Address word = guarded_.base + (number * each + (start + i / 2) % each) * kWord;
    access(t, i % 2 == 1 && chance(60), word);
  }
  emit_sync(EventKind::Release, t, lock, SyncMode::Exclusive);
  exit(t);
}

void Workload::use_volatile(std::uint32_t t) {
  const std::uint64_t x = kVolatile + random_.below(kVolatiles);
  const bool write = chance(25);
  emit_sync(write ? EventKind::ReleaseMerge : EventKind::Acquire, t, x, SyncMode::Volatile);
}

// All arrive, then all leave.
void Workload::barrier() {
  for (const EventKind kind : {EventKind::ReleaseMerge, EventKind::Acquire}) {
    for (std::uint32_t t = 0; t < shape_.threads; ++t) {
      emit_sync(kind, t, kBarrier, SyncMode::Volatile);
    }
  }
  // Many threads do not make barriers a larger share of the synchronisation.
  next_barrier_ = emitted_ + std::max<std::uint64_t>(kBetweenBarriers, 1000 * shape_.threads);
}

// Two accesses in a row, by two threads, that nothing orders.
void Workload::race(std::uint32_t t) {
  next_race_ = emitted_ + kBetweenRaces;
  if (shape_.races == 0 || shape_.threads < 2) return;
  const Address variable = kRacy + random_.below(shape_.races) * 2 * kWord;
  enter(t, kFunctions);
  access(t, true, variable);
  exit(t);
  const std::uint32_t other = (t + 1) % shape_.threads;
  enter(other, kFunctions + 1);
  access(other, chance(50), variable);
  exit(other);
}

void Workload::enter(std::uint32_t t, std::uint64_t function) {
  function_ = static_cast<std::uint32_t>(function);
  line_ = 0;
  if (shape_.functions) emit_aimed(EventKind::Enter, t, function_);
}

void Workload::exit(std::uint32_t t) {
  if (shape_.functions) emit_aimed(EventKind::Exit, t, function_);
}

void Workload::access(std::uint32_t t, bool write, Address variable) {
  Event& e = emit(write ? EventKind::Write : EventKind::Read, t);
  e.address = variable;
  e.size = variable_size(variable);
  if (shape_.sites) e.site = SiteId{1 + function_ * kLines + line_ % kLines};
  ++line_;
}

Event& Workload::emit(EventKind kind, std::uint32_t t) {
  Event& e = out_->emplace_back();
  e.kind = kind;
  e.thread = ThreadId{t};
  ++emitted_;
  return e;
}

void Workload::emit_sync(EventKind kind, std::uint32_t t, std::uint64_t sync, SyncMode mode) {
  Event& e = emit(kind, t);
  e.address = sync;
  e.mode = mode;
  ++syncs_;
}

void Workload::emit_aimed(EventKind kind, std::uint32_t t, std::uint32_t target) {
  emit(kind, t).target = target;
}

// In [0, n), half of them in the lowest eighth.
std::uint64_t Workload::skewed(std::uint64_t n) {
  const double u = unit(random_.draw());
  return static_cast<std::uint64_t>(u * u * u * static_cast<double>(n));
}

}  // namespace steward::bench
