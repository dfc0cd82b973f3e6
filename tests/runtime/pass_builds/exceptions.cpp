// OUTPUT: 4950 4950 200
#include <stdexcept>
#include <string>

#include "kind.h"

struct OnLeaving {
  volatile long* cell;
  ~OnLeaving() { *cell = *cell + 1; }
};

__attribute__((noinline)) static void fail(volatile long* cell, long i) {
  const OnLeaving leaving{cell};
  if (i % 3 != 0) throw std::runtime_error(std::to_string(i));
}

long work(volatile long* cell, long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    try {
      fail(cell, i);
      sum += i;
    } catch (const std::exception& e) {
      sum += std::stol(e.what());
    }
  }
  return sum;
}
