// std::counting_semaphore hands over slots of a ring.
// EXPECT: none
// FLAGS: -std=c++20
#include <semaphore>
#include <thread>

int ring[3], sum;

int main() {
  std::counting_semaphore<3> empty(3), full(0);
  std::thread producer([&] {
    for (int i = 0; i < 30; ++i) {
      empty.acquire();
      ring[i % 3] = i;
      full.release();
    }
  });
  for (int i = 0; i < 30; ++i) {
    full.acquire();
    sum += ring[i % 3];
    empty.release();
  }
  producer.join();
  return sum == 435 ? 0 : 1;
}
