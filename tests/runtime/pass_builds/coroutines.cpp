// OUTPUT: 4950 4950 200
// FLAGS: -std=c++20
#include <coroutine>

#include "kind.h"

struct Numbers {
  struct promise_type {
    long value = 0;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static Numbers numbers(volatile long* cell, long rounds) {
  for (long i = 0; i < rounds; ++i) {
    *cell = *cell + 1;
    co_yield i;
  }
}

long work(volatile long* cell, long rounds) {
  long sum = 0;
  Numbers all = numbers(cell, rounds);
  for (all.handle.resume(); !all.handle.done(); all.handle.resume()) {
    sum += all.handle.promise().value;
  }
  all.handle.destroy();
  return sum;
}
