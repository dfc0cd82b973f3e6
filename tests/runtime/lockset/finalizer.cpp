// A thread of its own takes apart what the others are done with, under no lock.
#include <pthread.h>

#include "turns.h"

static std::mutex lock;

int main() {
  auto* x = new long(0);
  auto work = [=] {
    std::lock_guard<std::mutex> guard(lock);
    *x += 1;
  };
  std::thread a(work);
  a.join();
  std::thread b(work);
  b.join();
  std::thread finalizer([=] {
    pthread_setname_np(pthread_self(), "finalizer 1");
    *x = 0;
  });
  finalizer.join();
}
