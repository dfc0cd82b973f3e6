// The plain part of what the runtime knows of a thread. Its fields are its own thread's; what
// others may read or write says so.
#pragma once

#include "core/clock/epoch.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/shadow/word.h"
#include "runtime/sync/live_clock.h"
#include "runtime/tool.h"

namespace steward::rt {

enum class StackId : std::uint32_t { None = 0 };  // history/stack_depot.h

struct Frame {
  uptr pc;  // return address into the caller
  uptr sp;  // of the callee's entry: tells frames that a longjmp or an exception left behind
#if STEWARD_BURSTS
  bool sampled = true;  // this execution of the function (burst/burst.h)
#endif
};

enum class SyncKind : std::uint8_t { Mutex, RwLock, Spin };

struct HeldLock {
  uptr address = 0;
  std::uint32_t id = 0;  // 0: not looked up yet (PACER, while it does not sample)
  SyncKind kind{};
  bool write = false;
  std::uint32_t count = 0;
  uptr pc = 0;  // where it was taken
};

// A thread's last release to a lock (sync/sync_object.h, acquire_lock).
struct Given {
  uptr lock = 0;
  bool write = false;
  std::uint64_t received = 0;  // how many had received the lock's clock by then
  Epoch epoch{};               // of the accesses before it
  Epoch next{};                // the thread's clock after it
};

class ThreadState;

// Where a thread's own memory is.
struct ThreadMemory {
  uptr stack_begin = 0, stack_end = 0;
  uptr tls_begin = 0, tls_end = 0;
  bool is_stack(uptr a) const { return a >= stack_begin && a < stack_end; }
  bool is_tls(uptr a) const { return a >= tls_begin && a < tls_end + 4096; }
};

// Outlives the thread: reports name dead threads. A program may have had very many, so it is small.
struct ThreadInfo {
  std::uint32_t id : 31;
  std::uint32_t recorded : 1;  // its record has been written; guarded by the report's lock
  std::uint32_t parent;
  int os_id;
  StackId created;
  std::uint32_t name;  // its number among the names; 0: none (thread/registry.h)
#if STEWARD_LOCKSET
  std::uint32_t generation = 1;              // see lockset/thread_part.h; others advance it
  uptr open_begin = ~uptr{0}, open_end = 0;  // of its stack, where others have been; theirs too
#endif
};

// Plain fields: a state that is used again begins with them as they are here.
struct ThreadFields {
  // Hot: one cache line.
  std::uint64_t word = 0;  // Word::uniform(epoch): what a same-epoch cell looks like
  Epoch30 epoch = 0;
  std::uint32_t section = 0;          // odd: in an owner's section (shadow/owner.h); others read it
  std::uint16_t index = 0;            // its name as an owner
  std::uint16_t pending_signals = 0;  // written by the thread's own signal trampoline
  std::uint32_t ignore_accesses = 0;
  std::uint32_t period = 0;  // that it has adopted (sample/period.h)
  bool sampling = true;      // not in each odd period (sample/sampler.h, takes_part_by_time)
  Frame* top = nullptr;        // of the shadow stack: one past the innermost call
  const Frame* low = nullptr;  // the lowest `top` since the last access noted
  Frame* floor = nullptr;      // frames below belong to another stack: a signal interrupted it
  Frame* base = nullptr;
  Frame* limit = nullptr;
  std::uint32_t overflow = 0;  // calls deeper than `limit`
  std::uint32_t busy = 0;      // depth of runtime sections: the program's signal handlers wait
  std::uint32_t ignore_sync = 0;
  std::uint32_t system_regions = 0;  // how much of the two above is LARD's (abi/lard.cpp)
  unsigned taken_run = 0;  // regions taken over at once, and where the next would be
  uptr taken_next = 0;
  uptr alone_at = 0;  // in everybody's region: it is alone there, or for an even address about to be

  Given given;
  ReleaseName release_fence_at;  // minimal: there was none
  ThreadInfo* info = nullptr;
  void* start_function = nullptr;
  void* start_argument = nullptr;
  std::uint64_t start_signals = 0;  // blocked where it was made; all are until it has entered
  ThreadState* next_free = nullptr;
  // Guarded by the registry's lock.
  bool detached = false;
  bool ended = false;
  uptr pthread = 0;
  ThreadMemory extent;
  ThreadState* joining = nullptr;  // it waits for that one's end
  // It waits on a condition, and will have that mutex before it does anything; its own to write.
  uptr waiting_for = 0;
  std::uint32_t waits = 0;  // begun and ended
  bool idle = false;  // it waits in a call that says so (sample/idle.h); its own to write
  std::uint8_t interrupted = 0;  // by signal handlers, which are not idle whatever it waits for
  std::uint64_t asleep_since = 0;  // nanoseconds: when its last wait began, about
  ThreadState *older = nullptr, *younger = nullptr;  // of those that are not buried

  std::uint32_t stack_of = 0;     // the activation of which the shadow stack is (sample/period.h)
  std::uint32_t history_of = 0;   // the oblivion after which the history began (sample/period.h)
  std::uint64_t* shown = nullptr;  // its two words for inline checks; guarded by the registry
  std::uint64_t work = 0;  // synchronisation operations that passed here; others read it

  // Its reads of what others have read, in its epoch (shadow/crowd.h).
  struct Beside {
    Epoch30 epoch = 0;
    std::uint32_t reads = 0;
    bool tries = false;        // to make a crowd of a list
    std::uint32_t turns = 0;   // to help collect crowds
    std::uint32_t met = 0;     // other crowds than the one its inline checks know
  };
  mutable Beside beside;
  std::uint32_t seen_outside = 0;  // in which Grace (thread/grace.h); guarded by the registry

  std::uint32_t exit_rounds = 0;  // of TLS destructors still to let pass
  std::uint32_t held_count = 0;
  static constexpr unsigned kMaxHeld = 64;
  HeldLock held[kMaxHeld];
};

}  // namespace steward::rt
