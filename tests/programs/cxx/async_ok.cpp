// The value of std::async, and what its thread wrote, are ordered by get.
// EXPECT: none
#include <future>

int x;

int main() {
  std::future<int> result = std::async(std::launch::async, [] { return x = 42; });
  int value = result.get();
  x += 1;
  return value == 42 && x == 43 ? 0 : 1;
}
