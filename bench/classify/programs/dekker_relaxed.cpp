// Dekker's entry: each says that it wants to go in, and goes in if the other does not. Acquire and
// release do not forbid that both miss the other's word.
#include <atomic>
#include <cstdio>
#include <thread>

#include "meeting.h"

std::atomic<bool> wants[2];
bool entered[2];
Meeting both(2);

void enter(int me) {
  wants[me].store(true, std::memory_order_release);
  both.wait();  // so that both have spoken before either looks
  if (!wants[1 - me].load(std::memory_order_acquire)) entered[me] = true;
}

int main() {
  std::thread one(enter, 0), two(enter, 1);
  one.join();
  two.join();
  std::puts(entered[0] && entered[1] ? "both are in" : "at most one is in");
}
