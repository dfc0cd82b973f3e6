// The promise is kept when its thread has ended, thread-local objects and all.
// EXPECT: none
#include <future>
#include <thread>

int x;

struct AtEnd {
  ~AtEnd() { x += 1; }
};

int main() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread keeper([&promise] {
    thread_local AtEnd at_end;
    (void)&at_end;
    x = 1;
    promise.set_value_at_thread_exit();
  });
  future.wait();
  keeper.join();
  return x == 2 ? 0 : 1;
}
