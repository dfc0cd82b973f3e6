// An exception is owned by two threads; the library's own count orders its destruction.
// EXPECT: none
#include <exception>
#include <stdexcept>

#include "../support/in_order.h"

struct Failure {
  int code;
  ~Failure() { code = -1; }
};
std::exception_ptr a, b;

static void look(std::exception_ptr& pointer) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Failure& failure) {
    keep(failure.code);
  }
  pointer = nullptr;
}
static void first() { look(a); }
static void second() { look(b); }

int main() {
  a = b = std::make_exception_ptr(Failure{7});
  in_order(first, second);
}
