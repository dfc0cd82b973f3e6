// A map is filled by two threads under a mutex and read after the joins.
// EXPECT: none
#include <map>
#include <mutex>
#include <string>

#include "../support/in_order.h"

std::map<std::string, int> map;
std::mutex mutex;

static void fill(int from) {
  for (int i = from; i < from + 20; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    map["key number " + std::to_string(i)] = i;
  }
}
static void first() { fill(0); }
static void second() { fill(10); }

int main() {
  in_order(first, second);
  return map.size() == 30 ? 0 : 1;
}
