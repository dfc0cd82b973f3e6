// longjmp. The shadow stack finds by stack pointers which calls a jump has ended (abi/access.cpp);
// a jump out of a signal handler must also end the handler.
#include <setjmp.h>

#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"

using namespace steward::rt;

REAL(void, longjmp, __jmp_buf_tag*, int)
REAL(void, _longjmp, __jmp_buf_tag*, int)
REAL(void, siglongjmp, __jmp_buf_tag*, int)
REAL(void, __longjmp_chk, __jmp_buf_tag*, int)

namespace {

// glibc's jmp_buf on x86-64 has the stack pointer at index 6, mangled with the thread's guard.
void before_jump(const __jmp_buf_tag* env) {
  if (!started() || current->info == nullptr) return;
  auto sp = static_cast<uptr>(env->__jmpbuf[6]);
  asm("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(sp) : : "cc");
  leave_handlers(*current, sp);
}

}  // namespace

STEWARD_HOOK_AS(void, longjmp, (__jmp_buf_tag * env, int value)) {
  before_jump(env);
  real_longjmp()(env, value);
}
STEWARD_HOOK_AS(void, _longjmp, (__jmp_buf_tag * env, int value)) {
  before_jump(env);
  real__longjmp()(env, value);
}
STEWARD_HOOK_AS(void, siglongjmp, (__jmp_buf_tag * env, int value)) {
  before_jump(env);
  real_siglongjmp()(env, value);
}
STEWARD_HOOK_AS(void, __longjmp_chk, (__jmp_buf_tag * env, int value)) {
  before_jump(env);
  real___longjmp_chk()(env, value);
}
