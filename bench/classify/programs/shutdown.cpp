// jbb's Company.mode: who sees that the company closes wakes up who waits for it; who does not see
// it leaves him waiting for ever.
#include <cstdio>
#include <semaphore.h>
#include <thread>

#include "meeting.h"

enum Mode { kRunning, kRampDown };
struct Company {
  Mode mode = kRunning;
};
Company company;
sem_t closed;
Meeting announced(2);

int main() {
  sem_init(&closed, 0, 0);
  std::thread director([] {
    company.mode = kRampDown;
    announced.wait();
  });
  std::thread manager([] {
    announced.wait();
    if (company.mode == kRampDown) sem_post(&closed);
  });
  sem_wait(&closed);
  director.join();
  manager.join();
  std::puts("closed");
}
