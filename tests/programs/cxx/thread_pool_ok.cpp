// A small thread pool with futures: forty tasks, their results summed by the caller.
// EXPECT: none
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  std::future<int> submit(std::function<int()> work) {
    auto task = std::make_shared<std::packaged_task<int()>>(std::move(work));
    std::future<int> result = task->get_future();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.emplace_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool stop_ = false;
};

int main() {
  Pool pool(3);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 40; ++i) results.push_back(pool.submit([i] { return i * i; }));
  int sum = 0;
  for (auto& result : results) sum += result.get();
  return sum == 20540 ? 0 : 1;
}
