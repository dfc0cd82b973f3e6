// A handler forks while its thread, one of more than the detector has clocks for, allocates and frees.
// EXPECT: none
// STDOUT: forked
#include <atomic>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

constexpr int kOthers = 1030, kForks = 25;
std::atomic<int> forks;
std::atomic<bool> stop;
pthread_barrier_t all_done;

void fork_here(int) {
  const pid_t child = _Fork();
  if (child == 0) _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  forks.fetch_add(1);
}

void* wait_for_end(void*) {
  pthread_barrier_wait(&all_done);
  return nullptr;
}

void* allocate_and_free(void*) {
  while (!stop.load()) {
    void* blocks[300];
    for (void*& b : blocks) b = malloc(40);
    for (void* b : blocks) free(b);
  }
  return nullptr;
}

int main() {
  signal(SIGUSR1, fork_here);
  pthread_barrier_init(&all_done, nullptr, kOthers + 1);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  static pthread_t others[kOthers];
  for (pthread_t& t : others) pthread_create(&t, &small, wait_for_end, nullptr);
  pthread_t worker;
  pthread_create(&worker, nullptr, allocate_and_free, nullptr);
  for (int i = 0; i < kForks; ++i) {
    pthread_kill(worker, SIGUSR1);
    while (forks.load() <= i) usleep(100);
  }
  stop = true;
  pthread_join(worker, nullptr);
  pthread_barrier_wait(&all_done);
  for (pthread_t t : others) pthread_join(t, nullptr);
  puts("forked");
  return 0;
}
