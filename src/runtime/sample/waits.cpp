// Calls that wait and order nothing: the other detectors need not see them.
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/abi/hook.h"
#include "runtime/intercept/real.h"
#include "runtime/sample/idle.h"

using namespace steward::rt;

REAL(int, poll, pollfd*, nfds_t, int)
REAL(int, ppoll, pollfd*, nfds_t, const timespec*, const sigset_t*)
REAL(int, select, int, fd_set*, fd_set*, fd_set*, timeval*)
REAL(int, pselect, int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)
REAL(int, nanosleep, const timespec*, timespec*)
REAL(int, clock_nanosleep, clockid_t, int, const timespec*, timespec*)
REAL(int, thrd_sleep, const timespec*, timespec*)
REAL(int, usleep, useconds_t)
REAL(unsigned, sleep, unsigned)
REAL(int, pause)
REAL(int, sigsuspend, const sigset_t*)
REAL(int, sigwait, const sigset_t*, int*)
REAL(int, sigwaitinfo, const sigset_t*, siginfo_t*)
REAL(int, sigtimedwait, const sigset_t*, siginfo_t*, const timespec*)

namespace {
template <class Real, class ByTime>
auto wait(Real real, ByTime by_time) {
  return idly(interceptor_thread(), real, nothing_received, by_time);
}
}  // namespace

STEWARD_HOOK int poll(pollfd* fds, nfds_t n, int timeout) {
  return wait([&] { return real_poll()(fds, n, timeout); }, if_none);
}
STEWARD_HOOK int ppoll(pollfd* fds, nfds_t n, const timespec* timeout, const sigset_t* mask) {
  return wait([&] { return real_ppoll()(fds, n, timeout, mask); }, if_none);
}
STEWARD_HOOK int select(int n, fd_set* r, fd_set* w, fd_set* e, timeval* timeout) {
  return wait([&] { return real_select()(n, r, w, e, timeout); }, if_none);
}
STEWARD_HOOK int pselect(int n, fd_set* r, fd_set* w, fd_set* e, const timespec* timeout,
                         const sigset_t* mask) {
  return wait([&] { return real_pselect()(n, r, w, e, timeout, mask); }, if_none);
}
STEWARD_HOOK int nanosleep(const timespec* time, timespec* left) {
  return wait([&] { return real_nanosleep()(time, left); }, if_none);
}
STEWARD_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  return wait([&] { return real_clock_nanosleep()(clock, flags, time, left); }, if_none);
}
STEWARD_HOOK int thrd_sleep(const timespec* time, timespec* left) {
  return wait([&] { return real_thrd_sleep()(time, left); }, if_none);
}
STEWARD_HOOK int usleep(useconds_t us) {
  return wait([&] { return real_usleep()(us); }, if_none);
}
STEWARD_HOOK unsigned sleep(unsigned seconds) {
  return wait([&] { return real_sleep()(seconds); }, if_none);
}
STEWARD_HOOK int pause() {
  return wait([&] { return real_pause()(); }, never_by_time);
}
STEWARD_HOOK int sigsuspend(const sigset_t* mask) {
  return wait([&] { return real_sigsuspend()(mask); }, never_by_time);
}
STEWARD_HOOK int sigwait(const sigset_t* set, int* sig) {
  return wait([&] { return real_sigwait()(set, sig); }, never_by_time);
}
STEWARD_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  return wait([&] { return real_sigwaitinfo()(set, info); }, never_by_time);
}
STEWARD_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  return wait([&] { return real_sigtimedwait()(set, info, timeout); }, if_too_late);
}
