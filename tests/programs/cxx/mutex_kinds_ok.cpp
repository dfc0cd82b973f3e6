// std::mutex, recursive_mutex, timed_mutex and recursive_timed_mutex protect a value each.
// EXPECT: none
#include <chrono>
#include <mutex>

#include "../support/check.h"
#include "../support/in_order.h"

std::mutex plain;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::recursive_timed_mutex recursive_timed;
ALONE int a;
ALONE int b;
ALONE int c;
ALONE int d;

static void use_plain() {
  std::lock_guard<std::mutex> guard(plain);
  ++a;
}
static void use_recursive() {
  std::lock_guard<std::recursive_mutex> outer(recursive);
  {
    std::lock_guard<std::recursive_mutex> inner(recursive);
    ++b;
  }
  ++b;
}
static void use_timed() {
  std::unique_lock<std::timed_mutex> lock(timed, std::chrono::hours(1));
  CHECK(lock.owns_lock());
  ++c;
}
static void use_recursive_timed() {
  CHECK(recursive_timed.try_lock_until(std::chrono::steady_clock::now() + std::chrono::hours(1)));
  ++d;
  recursive_timed.unlock();
}

int main() {
  in_order(use_plain, use_plain);
  inv_post(0);
  in_order(use_recursive, use_recursive);
  inv_post(0);
  in_order(use_timed, use_timed);
  inv_post(0);
  in_order(use_recursive_timed, use_recursive_timed);
}
