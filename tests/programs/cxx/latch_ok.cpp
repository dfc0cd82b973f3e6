// Two workers count a latch down; who waited for it is ordered after both.
// EXPECT: none
// FLAGS: -std=c++20
#include <latch>
#include <thread>

int cells[2];

int main() {
  std::latch done(2);
  auto work = [&done](int i) {
    cells[i] = 1;
    done.count_down();
  };
  std::thread a(work, 0), b(work, 1);
  done.wait();
  int sum = cells[0] + cells[1];
  a.join();
  b.join();
  return sum == 2 ? 0 : 1;
}
