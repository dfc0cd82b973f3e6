// Arguments given to std::thread are ordered before its function, by value and by reference.
// EXPECT: none
#include <memory>
#include <string>
#include <thread>

#include "../support/check.h"

int main() {
  int number = 1;
  auto owned = std::make_unique<int>(2);
  std::thread thread(
      [](int& by_reference, std::string by_value, std::unique_ptr<int> moved) {
        by_reference += *moved + static_cast<int>(by_value.size());
      },
      std::ref(number), std::string("a string long enough for the heap"), std::move(owned));
  thread.join();
  CHECK(number == 36);
}
