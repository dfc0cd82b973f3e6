// A packaged task runs in another thread.
// EXPECT: none
#include <future>
#include <thread>

int x;

int main() {
  std::packaged_task<int(int)> task([](int add) { return x += add; });
  std::future<int> result = task.get_future();
  x = 1;
  std::thread runner(std::move(task), 41);
  int value = result.get();
  x += 1;
  runner.join();
  return value == 42 && x == 43 ? 0 : 1;
}
