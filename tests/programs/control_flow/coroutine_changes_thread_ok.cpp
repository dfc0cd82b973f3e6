// A coroutine is started in one thread and resumed in another, ordered by a mutex.
// EXPECT: none
// FLAGS: -std=c++20
// ONLY: gcc|clang-19 (clang 14 has no coroutines with this library)
#include <coroutine>
#include <exception>
#include <mutex>

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

int x;
std::mutex mutex;

static Task count() {
  int local = 1;
  x += local;
  co_await std::suspend_always{};
  local += 1;
  x += local;
}
Task task;

static void resume() {
  std::lock_guard<std::mutex> guard(mutex);
  task.handle.resume();
}

int main() {
  task = count();
  in_order(resume, resume);
  task.handle.destroy();
  return x == 3 ? 0 : 1;
}
