// ucontext: each context has a stack of its own, and so a shadow stack. The thread remains one: a
// switch is a step in its program order, and a context that another thread goes on with was handed
// over by whatever means the program has, which we see.
//
// Code that gets a context and later sets it on the same stack, as one does with setjmp, needs
// nothing: the stack repairs itself by stack pointers.
#include <ucontext.h>

#include "core/memory/flat_map.h"
#include "runtime/intercept/real.h"
#include "runtime/mem/pages.h"

using namespace steward::rt;

REAL(int, swapcontext, ucontext_t*, const ucontext_t*)
REAL(int, setcontext, const ucontext_t*)

namespace {

KernelPages pages;
SpinLock lock;  // guards all below
struct Saved {
  Frame* frames = nullptr;
  std::size_t count = 0;
  std::size_t room = 0;
};
struct Contexts {
  Contexts() : pool(pages), saved(pool) {}
  steward::Pool pool;
  steward::FlatMap<std::uint64_t, Saved> saved;  // by the address of the context
};
Placed<Contexts> contexts;
bool made = false;

void save(const ThreadState& t, const ucontext_t* c) {
  const Locked guard(lock);
  if (!made) {
    contexts.make();
    made = true;
  }
  Saved& s = contexts->saved.get(address(c));
  const auto n = static_cast<std::size_t>(t.top - t.floor);
  if (n > s.room) {
    if (s.frames != nullptr) sys::unmap(s.frames, s.room * sizeof(Frame));
    s.room = ((n * 2 * sizeof(Frame) + 4095) & ~std::size_t{4095}) / sizeof(Frame);
    s.frames = static_cast<Frame*>(sys::map(s.room * sizeof(Frame)));
  }
  for (std::size_t i = 0; i < n; ++i) s.frames[i] = t.floor[i];
  s.count = n;
}

// The calls of a context that was left by swapcontext; a new one has none. False: it is neither,
// but a place on a stack that getcontext noted.
bool load(ThreadState& t, const ucontext_t* c, bool is_new) {
  const Locked guard(lock);
  Saved* s = made ? contexts->saved.find(address(c)) : nullptr;
  if (s == nullptr && !is_new) return false;
  Frame* top = t.floor;
  if (s != nullptr) {
    for (std::size_t i = 0; i < s->count && top < t.limit; ++i) *top++ = s->frames[i];
    contexts->saved.erase(address(c));
  }
  t.top = top;
  t.low = t.floor;
  t.overflow = 0;
  return true;
}

// Does the context run on another stack than the one we are on?
bool is_elsewhere(const ucontext_t* c) {
  const uptr begin = address(c->uc_stack.ss_sp);
  const uptr here = reinterpret_cast<uptr>(__builtin_frame_address(0));
  return begin != 0 && (here < begin || here >= begin + c->uc_stack.ss_size);
}

}  // namespace

STEWARD_HOOK int swapcontext(ucontext_t* from, const ucontext_t* to) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) {
    const RuntimeScope scope(*t);
    save(*t, from);
    load(*t, to, is_elsewhere(to));
  }
  const int result = real_swapcontext()(from, to);
  // Back here, perhaps on another thread, or it failed: whoever switched to us has loaded our
  // calls.
  if (result != 0 && t != nullptr) {
    const RuntimeScope scope(*t);
    load(*t, from, true);
  }
  return result;
}
STEWARD_HOOK int setcontext(const ucontext_t* to) {
  if (ThreadState* t = interceptor_thread()) {
    const RuntimeScope scope(*t);
    load(*t, to, is_elsewhere(to));
  }
  return real_setcontext()(to);
}
