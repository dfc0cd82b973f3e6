// Three threads pass a std::barrier ten times; its completion reads what all wrote.
// EXPECT: none
// FLAGS: -std=c++20
#include <barrier>
#include <thread>

int cells[3], sum;

static void complete() noexcept { sum += cells[0] + cells[1] + cells[2]; }

int main() {
  std::barrier barrier(3, complete);
  auto work = [&barrier](int i) {
    for (int round = 0; round < 10; ++round) {
      cells[i] = round;
      barrier.arrive_and_wait();
    }
  };
  std::thread a(work, 0), b(work, 1), c(work, 2);
  a.join();
  b.join();
  c.join();
  return sum == 135 ? 0 : 1;
}
