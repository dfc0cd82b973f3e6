// wait_for that times out at once holds the mutex again.
// EXPECT: none
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "../support/check.h"
#include "../support/in_order.h"

std::mutex mutex;
std::condition_variable never;
int data;

static void update() {
  std::unique_lock<std::mutex> lock(mutex);
  data += 1;
  CHECK(!never.wait_for(lock, std::chrono::nanoseconds(0), [] { return false; }));
  data += 1;
}

int main() { in_order(update, update); }
