// One race each, which is there however the threads are scheduled.
//   races critical|names|nowait|master|task
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 4, kItems = 64 };
static int without_critical, two_names, cells[kItems], sums[kThreads], by_master, seen[kThreads];
static int by_tasks;

static void work(const char* what) {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    if (strcmp(what, "critical") == 0) {
      ++without_critical;
    } else if (strcmp(what, "names") == 0) {
      if (me % 2 == 0) {
#pragma omp critical(one)
        ++two_names;
      } else {
#pragma omp critical(two)
        ++two_names;
      }
    } else if (strcmp(what, "nowait") == 0) {
#pragma omp for schedule(static) nowait
      for (int i = 0; i < kItems; ++i) cells[i] = i;
#pragma omp for schedule(static)
      for (int i = 0; i < kItems; ++i) sums[me] += cells[kItems - 1 - i];
    } else if (strcmp(what, "master") == 0) {
#pragma omp master
      by_master = 1;
      seen[me] = by_master;
    } else {
#pragma omp barrier
#pragma omp task
      ++by_tasks;
#pragma omp task
      ++by_tasks;
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  work(argv[1]);
  for (int i = 0; i < kThreads; ++i) by_tasks += sums[i] + seen[i];
  printf("%d %d %d %d\n", without_critical, two_names, by_master, by_tasks);  // all of it is used
  return 0;
}
