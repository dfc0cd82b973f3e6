// Two coroutines, resumed in two threads, share a variable.
// EXPECT: race
// FLAGS: -std=c++20
// ONLY: gcc|clang-19 (clang 14 has no coroutines with this library)
#include <coroutine>
#include <exception>

#include "../support/in_order.h"

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

ALONE int x;

static Task write_it() {
  x = 1;  // RACE A
  co_return;
}
static Task read_it() {
  keep(x);  // RACE B
  co_return;
}
Task a, b;

static void first() { a.handle.resume(); }
static void second() { b.handle.resume(); }

int main() {
  a = write_it();
  b = read_it();
  in_order(first, second);
  a.handle.destroy();
  b.handle.destroy();
}
