// Fork and join: no lock is needed, and none is held.
#include "turns.h"

int main() {
  auto* sum = new long(0);
  for (int i = 0; i < 3; ++i) {
    std::thread t([=] { *sum += i; });
    t.join();
  }
  delete sum;
}
