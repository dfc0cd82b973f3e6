// The first call of std::call_once throws, the second succeeds, the third waits for nothing.
// EXPECT: none
#include <mutex>

#include "../support/in_order.h"

std::once_flag once;
int tries;

static void use() {
  try {
    std::call_once(once, [] {
      if (++tries == 1) throw 1;
    });
    keep(tries);
  } catch (int) {
    keep(0);
  }
}

int main() {
  in_order3(use, use, use);
  return tries == 2 ? 0 : 1;
}
