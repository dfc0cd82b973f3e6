// Runs one command and says what it took: wall time, processor time and memory of everything it
// started, from wait4.
//   measure [-t SECONDS] -o STDOUT -e STDERR COMMAND [ARGUMENT...]
// Prints "wall_seconds TAB cpu_seconds TAB peak_kilobytes TAB status". cpu is user and system of
// all processes; the peak is the largest resident set that one of them had; status is the exit
// code, 128 + N for signal N, or "timeout".
// Linked statically and without iostream: a child's peak is never below its parent's size at fork.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

volatile sig_atomic_t timed_out = 0;
pid_t child = -1;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(2);
}

[[noreturn]] void execute(char** command, const char* output, const char* errors) {
  setpgid(0, 0);
  const int in = open("/dev/null", O_RDONLY);
  const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || out < 0 || err < 0) _exit(125);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

int main(int argc, char** argv) {
  const char* output = nullptr;
  const char* errors = nullptr;
  unsigned limit = 0;
  for (int option = 0; (option = getopt(argc, argv, "+t:o:e:")) != -1;) {
    if (option == 't') limit = static_cast<unsigned>(strtoul(optarg, nullptr, 10));
    if (option == 'o') output = optarg;
    if (option == 'e') errors = optarg;
    if (option == '?') return 2;
  }
  if (output == nullptr || errors == nullptr || optind == argc) {
    fprintf(stderr, "usage: measure [-t SECONDS] -o STDOUT -e STDERR COMMAND [ARGUMENT...]\n");
    return 2;
  }

  // Processes whose parent ended first come to us, so that none goes uncounted.
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("prctl");
  const double begin = now();
  child = fork();
  if (child < 0) fail("fork");
  if (child == 0) execute(argv + optind, output, errors);
  setpgid(child, child);  // in both, so that it holds whoever runs first
  signal(SIGALRM, [](int) {
    timed_out = 1;
    kill(-child, SIGKILL);
  });
  alarm(limit);

  double cpu = 0;
  long peak = 0;
  int status = 0;
  double end = begin;
  for (;;) {
    int wait_status = 0;
    rusage usage{};
    const pid_t ended = wait4(-1, &wait_status, 0, &usage);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0) break;  // ECHILD: all have ended
    cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    peak = std::max(peak, usage.ru_maxrss);
    end = now();
    if (ended == child) status = status_of(wait_status);
  }
  printf("%.3f\t%.3f\t%ld\t", end - begin, cpu, peak);
  if (timed_out != 0)
    printf("timeout\n");
  else
    printf("%d\n", status);
}
