// sor: rows of a grid are relaxed by two threads that wait for each other by counters without any
// synchronisation. What one wrote before the barrier the other need not see after it.
#include <cstdio>
#include <sched.h>
#include <thread>

constexpr int kThreads = 2, kColumns = 4, kRounds = 6;
volatile long sync_count[kThreads];
double* grid[kThreads];

void barrier(int id) {
  sync_count[id] = sync_count[id] + 1;
  const int other = 1 - id;
  while (sync_count[other] < sync_count[id]) sched_yield();
}

void relax(int id) {
  for (int round = 0; round < kRounds; ++round) {
    if (round % kThreads == id) {
      for (int c = 0; c < kColumns; ++c) grid[id][c] = 0.5 * (grid[id][c] + grid[1 - id][c]);
    }
    barrier(id);
  }
}

int main() {
  for (int t = 0; t < kThreads; ++t) {
    grid[t] = new double[kColumns];
    for (int c = 0; c < kColumns; ++c) grid[t][c] = t * 64 + c;
  }
  std::thread one(relax, 0), two(relax, 1);
  one.join();
  two.join();
  double sum = 0;
  for (int c = 0; c < kColumns; ++c) sum += grid[0][c] + grid[1][c];
  std::printf("%.6f\n", sum);
}
