// Signal handlers run in the thread they interrupt, at once, unless it is inside the runtime and
// may hold our locks. Then the signal is kept until it leaves (RuntimeScope), and the thread goes
// on with every other signal blocked: so one place to keep it is enough, the kernel queues the rest
// or gives them to other threads. Faults of the program's own run at once: there is nothing to
// return to.
//
// Order: C++ ([support.signal]) has the installing call synchronise with every run of the handler.
// Sending a signal orders nothing more.
#include "runtime/intercept/signals.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "runtime/intercept/real.h"
#include "runtime/sample/idle.h"
#include "runtime/shadow/owner.h"
#include "runtime/sync/sync_object.h"

using namespace steward::rt;

REAL(int, sigaction, int, const struct sigaction*, struct sigaction*)

namespace steward::rt {
namespace {

using Handler = void (*)(int, siginfo_t*, void*);

constexpr int kSignals = 65;
SpinLock lock;  // orders changes; a handler's start reads one word
struct alignas(8) Action {
  Handler handler;       // of either form: a plain one ignores the other two arguments
  struct sigaction act;  // as the program gave it
};
Action actions[kSignals];

// What a handler's run hides of the interrupted code, for its return or a jump out of it.
struct Running {
  Running* outer;
  ThreadState* thread;
  Frame* top;
  Frame* floor;
  Frame slot;  // at top: the interrupted hook may be about to count it in
  std::uint32_t overflow;
  uptr sp;                        // the handler's frames are below
  uptr alternate, alternate_end;  // ... or in here, if it runs on a stack of its own
};
thread_local Running* running = nullptr;

struct Kept {
  int sig;
  siginfo_t info;
  ucontext_t context;
};
thread_local Kept kept;  // while `pending_signals` of the current state is not 0

bool is_fault(int sig, const siginfo_t* info) {
  switch (sig) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
      return info->si_code > 0;  // the kernel's, not somebody's kill
    default:
      return false;
  }
}

void begin(ThreadState& t, Running& r, const ucontext_t* context) {
  r.outer = running;
  r.thread = &t;
  r.top = t.top;
  r.floor = t.floor;
  r.slot = t.top < t.limit ? *t.top : Frame{};
  r.overflow = t.overflow;
  r.sp = reinterpret_cast<uptr>(__builtin_frame_address(0));
  const uptr alternate = address(context->uc_stack.ss_sp);
  const uptr alternate_end = alternate + context->uc_stack.ss_size;
  const bool inside = r.sp >= alternate && r.sp < alternate_end;
  r.alternate = inside ? alternate : 0;
  r.alternate_end = inside ? alternate_end : 0;
  running = &r;
  if constexpr (kSamples) __atomic_store_n(&t.interrupted, t.interrupted + 1, __ATOMIC_RELEASE);
  if (t.low > t.top) t.low = t.top;  // between the two stores of a return
  t.floor = t.top;
}

void end(const Running& r) {
  ThreadState& t = *r.thread;
  running = r.outer;
  if constexpr (kSamples) __atomic_store_n(&t.interrupted, t.interrupted - 1, __ATOMIC_RELEASE);
  t.floor = r.floor;
  t.top = r.top;
  if (t.top < t.limit) *t.top = r.slot;
  if (t.low > t.top) t.low = t.top;
  t.overflow = r.overflow;
}

void run(int sig, siginfo_t* info, ucontext_t* context) {
  Action& a = actions[sig];
  const Handler handler = __atomic_load_n(&a.handler, __ATOMIC_ACQUIRE);
  if (handler == nullptr) return;  // taken away meanwhile
  if ((a.act.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    __atomic_store_n(&a.handler, nullptr, __ATOMIC_RELEASE);
  }
  const int saved_errno = errno;
  ThreadState& t = *current;
  if (t.info == nullptr) {  // of no thread that we know
    handler(sig, info, context);
  } else {
    Running r;
    begin(t, r, context);
    if (t.epoch != 0 && t.busy == 0) {
      acquire(t, address(&a));
      awake(t);
    }
    handler(sig, info, context);
    end(r);
  }
  errno = saved_errno;
}

void keep(ThreadState& t, int sig, const siginfo_t* info, ucontext_t* context) {
  kept.sig = sig;
  kept.info = *info;
  kept.context = *context;
  t.pending_signals = 1;
  // What the interrupted code goes on with. The kernel's mask has 64 bits, glibc's type more.
  std::uint64_t blocked = ~std::uint64_t{0};
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) {
    blocked &= ~(std::uint64_t{1} << (fault - 1));
  }
  *reinterpret_cast<std::uint64_t*>(&context->uc_sigmask) = blocked;
}

void on_signal(int sig, siginfo_t* info, void* p) {
  auto* context = static_cast<ucontext_t*>(p);
  ThreadState& t = *current;
  const bool inside = t.busy != 0 || (t.section & 1) != 0;
  if (inside && t.info != nullptr && t.pending_signals == 0 && !is_fault(sig, info)) {
    keep(t, sig, info, context);
  } else {
    // The handler may never come back to end them.
    if ((t.alone_at & 1) != 0) owner::leave_alone(t);
    if ((t.section & 1) != 0) ++t.section;
    run(sig, info, context);
  }
}

void set_mask(const sigset_t& mask) {
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, 8);
}

bool is_function(const struct sigaction& act) {
  return act.sa_handler != SIG_DFL && act.sa_handler != SIG_IGN && act.sa_handler != SIG_ERR;
}

int install(int sig, const struct sigaction* act, struct sigaction* old) {
  if (sig < 1 || sig >= kSignals) return real_sigaction()(sig, act, old);
  ThreadState* t = interceptor_thread();
  Action& a = actions[sig];
  if (t != nullptr && act != nullptr && is_function(*act)) release(*t, address(&a));
  if (t != nullptr) ++t->busy;
  lock.lock();
  const Action before = a;
  struct sigaction ours;
  if (act != nullptr) {
    ours = *act;
    a.act = *act;
    if (is_function(*act)) {
      ours.sa_sigaction = on_signal;
      ours.sa_flags |= SA_SIGINFO;
      __atomic_store_n(&a.handler, act->sa_sigaction, __ATOMIC_RELEASE);
    }
  }
  struct sigaction was;
  const int result = real_sigaction()(sig, act != nullptr ? &ours : nullptr, &was);
  if (result != 0) {
    a = before;
  } else if (old != nullptr) {
    *old = was;
    if (was.sa_sigaction == on_signal) {
      old->sa_sigaction = before.handler;
      old->sa_flags = before.act.sa_flags;
    }
  }
  lock.unlock();
  if (t != nullptr && --t->busy == 0 && t->pending_signals != 0) run_pending_signals(*t);
  return result;
}

sighandler_t install_simple(int sig, sighandler_t handler, int flags) {
  struct sigaction act {};
  struct sigaction old;
  act.sa_handler = handler;
  act.sa_flags = flags;
  sigemptyset(&act.sa_mask);
  if ((flags & SA_RESTART) != 0) sigaddset(&act.sa_mask, sig);
  return install(sig, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

void run_pending_signals(ThreadState& t) {
  t.pending_signals = 0;
  Kept now = kept;
  const struct sigaction act = actions[now.sig].act;
  sigset_t mask;
  sigorset(&mask, &now.context.uc_sigmask, &act.sa_mask);
  if ((act.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, now.sig);
  set_mask(mask);
  run(now.sig, &now.info, &now.context);
  set_mask(now.context.uc_sigmask);  // the next one may come here
}

void leave_handlers(ThreadState& t, uptr sp) {
  while (running != nullptr && running->thread == &t) {
    const Running& r = *running;
    const bool leaves = r.alternate != 0 ? sp < r.alternate || sp >= r.alternate_end : sp > r.sp;
    if (!leaves) return;
    end(r);
    t.busy = 0;  // a fault may have come from inside the runtime
  }
}

}  // namespace steward::rt

STEWARD_HOOK int sigaction(int sig, const struct sigaction* act, struct sigaction* old) {
  return install(sig, act, old);
}
STEWARD_HOOK sighandler_t signal(int sig, sighandler_t handler) {
  return install_simple(sig, handler, SA_RESTART);
}
STEWARD_HOOK sighandler_t bsd_signal(int sig, sighandler_t handler) {
  return install_simple(sig, handler, SA_RESTART);
}
STEWARD_HOOK sighandler_t ssignal(int sig, sighandler_t handler) {
  return install_simple(sig, handler, SA_RESTART);
}
STEWARD_HOOK sighandler_t sysv_signal(int sig, sighandler_t handler) {
  return install_simple(sig, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
}
STEWARD_HOOK sighandler_t __sysv_signal(int sig, sighandler_t handler) {
  return install_simple(sig, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
}
STEWARD_HOOK sighandler_t sigset(int sig, sighandler_t handler) {
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, sig);
  const bool hold = handler == SIG_HOLD;
  if (sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &one, &before) != 0) return SIG_ERR;
  struct sigaction old;
  if (hold) {
    if (install(sig, nullptr, &old) != 0) return SIG_ERR;
  } else {
    struct sigaction act {};
    act.sa_handler = handler;
    if (install(sig, &act, &old) != 0) return SIG_ERR;
  }
  return sigismember(&before, sig) == 1 ? SIG_HOLD : old.sa_handler;
}
