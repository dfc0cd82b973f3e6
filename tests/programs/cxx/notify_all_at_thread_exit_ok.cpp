// The mutex goes over to the library and is given up at the thread's end.
// EXPECT: none
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int x;
bool done;

int main() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    x = 1;
    done = true;
    std::notify_all_at_thread_exit(changed, std::move(lock));
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return done; });
    x += 1;
  }
  worker.join();
  return x == 2 ? 0 : 1;
}
