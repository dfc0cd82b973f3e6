// An exception of one thread is thrown again in the one that waits for the result.
// EXPECT: none
#include <future>
#include <stdexcept>
#include <string>

#include "../support/check.h"

int main() {
  for (int i = 0; i < 20; ++i) {
    std::future<int> result = std::async(std::launch::async, [i]() -> int {
      throw std::runtime_error("number " + std::to_string(i));
    });
    try {
      result.get();
      return 1;
    } catch (const std::runtime_error& error) {
      CHECK(error.what() == "number " + std::to_string(i));
    }
  }
}
