// LARD's rule 5: a thread is the language's. A language thread is a fiber (thread/registry.h) under
// a number that is never given twice, so that a wrong one is noticed. A switch orders nothing: what
// the scheduler does to hand threads over is not the program's synchronisation.
#include "runtime/abi/hook.h"
#include "runtime/abi/lard.h"
#include "runtime/intercept/real.h"
#include "runtime/mem/lock.h"

using namespace steward::rt;

namespace {

struct Identity {
  ThreadState* state;  // used again after the thread's end: `thread` tells
  std::uint32_t thread;
  bool created;  // by thread_create: may be ended
  bool ended;
  bool running;  // on some kernel thread
};
constexpr std::uint64_t kMaxIdentities = 1 << 22;
SpinLock lock;  // guards the table
Identity* identities = nullptr;
std::uint64_t count = 0;

// Whom this kernel thread runs, as a handle: index + 1.
__thread std::uint64_t running __attribute__((tls_model("initial-exec"))) = 0;

bool is_of(const Identity& i, const ThreadState& t) {
  return i.state == &t && !i.ended && t.info != nullptr && t.info->id == i.thread;
}

// Under the lock. 0: there is no room.
std::uint64_t add(ThreadState& t, bool created) {
  if (identities == nullptr) {
    identities = static_cast<Identity*>(sys::map(kMaxIdentities * sizeof(Identity)));
  }
  if (count == kMaxIdentities) return 0;
  identities[count++] = {&t, t.info->id, created, false, !created};
  return count;
}
// Under the lock. Null: no such thread lives.
Identity* find(std::uint64_t handle) {
  if (handle == 0 || handle > count) return nullptr;
  Identity& i = identities[handle - 1];
  return is_of(i, *i.state) && !i.state->ended ? &i : nullptr;
}
// Under the lock.
std::uint64_t self_handle(ThreadState& t) {
  if (running == 0 || !is_of(identities[running - 1], t)) running = add(t, false);
  return running;
}

}  // namespace

STEWARD_HOOK std::uint64_t __steward_lard_thread_self() {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return 0;
  const RuntimeScope scope(*t);
  const Locked guard(lock);
  return self_handle(*t);
}

STEWARD_HOOK std::uint64_t __steward_lard_thread_create(const char* name) {
  start_runtime();
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return 0;
  ThreadState* made = make_fiber(*t, STEWARD_CALLER);
  made->info->os_id = sys::tid();
  if (name != nullptr) name_thread(*made, name);
  const RuntimeScope scope(*t);
  const Locked guard(lock);
  return add(*made, true);
}

STEWARD_HOOK void __steward_lard_thread_switch(std::uint64_t thread) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  const char* wrong = nullptr;
  ThreadState* to = nullptr;
  {
    const RuntimeScope scope(*t);
    const Locked guard(lock);
    const std::uint64_t from = self_handle(*t);
    Identity* next = find(thread);
    if (next == nullptr) {
      wrong = "a switch to an unknown thread";
    } else if (next->state == t) {
      return;
    } else if (next->running) {
      wrong = "a switch to a thread that runs on another kernel thread";
    } else {
      if (from != 0) identities[from - 1].running = false;
      next->running = true;
      running = thread;
      to = next->state;
    }
  }
  if (wrong != nullptr) return misuse(*t, wrong, STEWARD_CALLER);
  switch_fiber(*to);
}

STEWARD_HOOK void __steward_lard_thread_end(std::uint64_t thread) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  const char* wrong = nullptr;
  {
    const RuntimeScope scope(*t);
    const Locked guard(lock);
    Identity* i = find(thread);
    if (i == nullptr) {
      wrong = "the end of an unknown thread";
    } else if (!i->created) {
      wrong = "the end of a thread that was not created by thread_create";
    } else if (i->running) {
      wrong = "the end of a thread that still runs";
    } else {
      i->ended = true;
      end_fiber(*i->state);
    }
  }
  if (wrong != nullptr) misuse(*t, wrong, STEWARD_CALLER);
}
