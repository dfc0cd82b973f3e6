#include <thread>

#include "counter.h"

int main() {
  std::thread other(count);
  count();
  other.join();
}
