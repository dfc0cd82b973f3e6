// Messages are filled by one thread without a lock, and used by another without a lock.
#include "turns.h"

struct Message {
  long words[8];
};
static std::mutex lock;
static Message* inbox;

int main() {
  std::thread reader([] {
    for (int i = 0; i < 100;) {
      std::unique_lock<std::mutex> guard(lock);
      Message* m = inbox;
      inbox = nullptr;
      guard.unlock();
      if (m == nullptr) {
        std::this_thread::yield();
        continue;
      }
      for (long& w : m->words) w += 1;
      delete m;
      ++i;
    }
  });
  for (int i = 0; i < 100;) {
    auto* m = new Message;
    for (long& w : m->words) w = i;
    std::unique_lock<std::mutex> guard(lock);
    if (inbox == nullptr) {
      inbox = m;
      ++i;
      continue;
    }
    guard.unlock();
    delete m;
    std::this_thread::yield();
  }
  reader.join();
}
