// Each way to synchronise once, and with RACY one field outside all of them. KILL: it never ends.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex mutex;
static std::shared_mutex shared;
static std::condition_variable condition;
static pthread_barrier_t barrier;
static sem_t semaphore;
static std::atomic<int> ready{0};
static std::atomic<long> relaxed{0};
static bool woken = false;
static long counter = 0, table[64], published = 0, fenced = 0;
long outside = 0;
static int* handed = nullptr;

static int& once() {
  static int made = 42;
  return made;
}

static void work(int id) {
  for (int i = 0; i < 100; ++i) {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      ++counter;
    }
    if (i % 10 == 0) {
      const std::unique_lock<std::shared_mutex> guard(shared);
      table[i % 64] = i;
    } else {
      const std::shared_lock<std::shared_mutex> guard(shared);
      relaxed.fetch_add(table[i % 64], std::memory_order_relaxed);
    }
  }
  pthread_barrier_wait(&barrier);
  if (id == 0) {
    published = counter;
    ready.store(1, std::memory_order_release);
    fenced = 7;
    std::atomic_thread_fence(std::memory_order_release);
    relaxed.store(-1, std::memory_order_relaxed);
    handed = static_cast<int*>(std::malloc(100));
    std::memset(handed, 0, 100);
    sem_post(&semaphore);
    const std::lock_guard<std::mutex> guard(mutex);
    woken = true;
    condition.notify_one();
  } else {
    while (ready.load(std::memory_order_acquire) == 0) {
    }
    if (published != 200) std::abort();
    while (relaxed.load(std::memory_order_relaxed) != -1) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    if (fenced != 7) std::abort();
    sem_wait(&semaphore);
    handed = static_cast<int*>(std::realloc(handed, 4000));
    handed[0] = once();
    std::free(handed);
    std::unique_lock<std::mutex> guard(mutex);
    condition.wait(guard, [] { return woken; });
  }
#ifdef RACY
  outside = id;  // RACE
#endif
}

int main(int argc, char**) {
  pthread_barrier_init(&barrier, nullptr, 2);
  sem_init(&semaphore, 0, 0);
  once();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
  if (write(1, "done\n", 5) != 5) return 1;
#ifdef KILL
  volatile long n = 0;
  for (;;) n = n + 1;
#endif
  if (fork() == 0) _exit(0);
  return argc > 1 ? 3 : 0;
}
