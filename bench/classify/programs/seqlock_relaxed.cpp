// A sequence lock: a reader takes two words that belong together, and throws them away if the
// writer was there in between. Without orders and fences it may keep what does not.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "meeting.h"

constexpr auto kRelaxed = std::memory_order_relaxed;
std::atomic<unsigned> sequence{0};
std::atomic<int> low{0}, high{0};
Meeting half_way(2);

void write(int value) {
  const unsigned s = sequence.load(kRelaxed);
  sequence.store(s + 1, kRelaxed);

  low.store(value, kRelaxed);
  high.store(value, kRelaxed);
  sequence.store(s + 2, kRelaxed);
}

bool read(int& l, int& h) {
  const unsigned before = sequence.load(kRelaxed);
  if (before % 2 != 0) return false;
  l = low.load(kRelaxed);
  h = high.load(kRelaxed);

  return sequence.load(kRelaxed) == before;
}

int main() {
  std::thread writer([] {
    for (int i = 1; i <= 3; ++i) write(i);
    half_way.wait();
    for (int i = 4; i <= 6; ++i) write(i);
  });
  bool broken = false;
  std::thread reader([&] {
    half_way.wait();
    for (int i = 0; i < 20; ++i) {
      int l = 0, h = 0;
      if (read(l, h) && l != h) broken = true;
    }
  });
  writer.join();
  reader.join();
  std::puts(broken ? "halves of different values" : "whole values");
}
