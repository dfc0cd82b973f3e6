// Everything here is ordered by OpenMP, and by nothing that a detector could see without being told.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 4, kRounds = 20, kItems = 400 };
static int cells[kItems], sum, nested, once, turns, by_lock, by_nest, by_task, left, right, joined;
static int kept;
#pragma omp threadprivate(kept)

// Not inlined: clang 14 would read both halves in both sections, to write one.
__attribute__((noinline)) static void add_one(int* to) { ++*to; }

static int fibonacci(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void loops(void) {
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < kItems; ++i) sum += ++cells[i];
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < kItems; ++i) ++cells[i];
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < kItems; ++i) ++cells[kItems - 1 - i];
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < kItems / 8; ++i) {
#pragma omp ordered
    turns = turns * 3 % 1000 + i;
  }
}

static void teams(void) {
#pragma omp parallel
  {
#pragma omp critical(name)
    ++once;
#pragma omp barrier
#pragma omp single
    ++once;
#pragma omp master
    nested = once;
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < kItems; ++i) cells[i] += nested % 7;
#pragma omp sections
    {
#pragma omp section
      add_one(&left);
#pragma omp section
      add_one(&right);
    }
#pragma omp single
    joined += left + right;
#pragma omp critical(name)
    kept += joined;
#pragma omp parallel num_threads(2)
#pragma omp critical(other)
    ++nested;
  }
}

static void locks(omp_lock_t* lock, omp_nest_lock_t* nest) {
#pragma omp parallel
  {
    omp_set_lock(lock);
    ++by_lock;
    omp_unset_lock(lock);
    omp_set_nest_lock(nest);
    omp_set_nest_lock(nest);
    ++by_nest;
    omp_unset_nest_lock(nest);
    omp_unset_nest_lock(nest);
    while (!omp_test_lock(lock)) {
    }
    ++by_lock;
    omp_unset_lock(lock);
  }
}

static void tasks(void) {
  int a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
    by_task += fibonacci(8);
#pragma omp task depend(out : a)
    a = 1;
#pragma omp task depend(in : a) depend(out : b)
    b = a + 1;
#pragma omp task depend(in : a) depend(out : c)
    c = a + 2;
#pragma omp task depend(in : b, c)
    by_task += b + c;
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
      cells[0] = by_task;
#pragma omp task
      cells[1] = by_task;
    }
    by_task += cells[0] - cells[1];
#pragma omp taskloop
    for (int i = 0; i < kItems; ++i) cells[i] += i;
    by_task += cells[kItems - 1] > 0;
  }
}

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_set_num_threads(kThreads);
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  for (int i = 0; i < kRounds; ++i) {
    loops();
    teams();
    locks(&lock, &nest);
    tasks();
    int* block = malloc(sizeof *block);
    *block = i;
#pragma omp parallel
#pragma omp atomic
    sum += *block;
    free(block);
  }
  printf("%d %d %d %d\n", by_lock, by_nest, by_task, joined);
  return by_lock == 2 * kThreads * kRounds && by_nest == kThreads * kRounds ? 0 : 1;
}
