// lufact and moldyn: a tournament barrier over an array of flags that turn with every round. Who
// reads an old flag passes too early, or waits for one that will not come back.
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <thread>
#include <vector>

constexpr int kThreads = 4, kRounds = 8;
struct Barrier {
  volatile bool* is_done;
  volatile bool all_done = false;
};
Barrier barrier;
long part[kThreads][kRounds];
volatile bool out_of_step = false;

void wait_until(volatile bool& flag, bool value) {
  while (flag != value) sched_yield();
}

void meet(int id, bool done) {
  for (int step = 1; step < kThreads && (id & step) == 0; step *= 2) {
    wait_until(barrier.is_done[id | step], done);
  }
  barrier.is_done[id] = done;
  if (id == 0) {
    barrier.all_done = done;
  } else {
    wait_until(barrier.all_done, done);
  }
}

int main() {
  barrier.is_done = static_cast<volatile bool*>(std::calloc(kThreads, 1));
  std::vector<std::thread> workers;
  for (int id = 0; id < kThreads; ++id) {
    workers.emplace_back([id] {
      for (int round = 0; round < kRounds; ++round) {
        part[id][round] = id + round + 1;
        meet(id, round % 2 == 0);
        const int next = (id + 1) % kThreads;
        if (part[next][round] != next + round + 1) out_of_step = true;
      }
    });
  }
  for (auto& w : workers) w.join();
  std::puts(out_of_step ? "out of step" : "factorised");
}
