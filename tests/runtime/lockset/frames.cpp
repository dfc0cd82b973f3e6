// Variables of a function that has returned are not those of the next one in the same place; those
// of one that has not are found.
#include "turns.h"

static std::mutex first, second;

__attribute__((noinline)) static long share(std::mutex* lock) {
  long here = 0;
  auto add = [&] {
    std::lock_guard<std::mutex> guard(*lock);
    here += 1;
  };
  std::thread a(add);
  a.join();
  std::thread b(add);
  b.join();
  std::lock_guard<std::mutex> guard(*lock);
  return here;
}

int main(int argc, char**) {
  long sum = share(&first) + share(&second);
  if (argc > 1) {
    std::thread a([&] { sum += 1; });
    a.join();
    std::thread b([&] { sum += 1; });  // HERE
    b.join();
  }
  return sum >= 4 ? 0 : 1;
}
