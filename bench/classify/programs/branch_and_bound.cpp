// tsp's MinTourLen: the best length so far, read without its lock to prune, checked again under it.
// Who reads an old one does work for nothing; the answer stays right.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kCities = 8;
struct Solver {
  int min_tour_length = 1 << 20;
};
Solver solver;
std::mutex min_lock;
int road[kCities][kCities];

void set_best(int length) {
  if (length >= solver.min_tour_length) return;
  std::lock_guard guard(min_lock);
  if (length < solver.min_tour_length) solver.min_tour_length = length;
}

void search(int at, unsigned seen, int length, int left) {
  if (length >= solver.min_tour_length) return;  // without the lock
  if (left == 0) return set_best(length + road[at][0]);
  for (int next = 1; next < kCities; ++next) {
    if ((seen >> next & 1) == 0) {
      search(next, seen | 1u << next, length + road[at][next], left - 1);
    }
  }
}

int main() {
  for (int i = 0; i < kCities; ++i) {
    for (int j = 0; j < kCities; ++j) road[i][j] = 1 + (i * 7 + j * 13 + i * j * 5) % 29;
  }
  std::vector<std::thread> workers;
  for (int w = 0; w < 2; ++w) {
    workers.emplace_back([w] {
      for (int next = 1 + w; next < kCities; next += 2) {
        search(next, 1u | 1u << next, road[0][next], kCities - 2);
      }
    });
  }
  for (auto& w : workers) w.join();
  std::printf("shortest tour %d\n", solver.min_tour_length);
}
