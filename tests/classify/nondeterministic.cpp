// Says something else each time; its race is destructive, which only the exit code shows.
#include <cstdio>
#include <thread>
#include <unistd.h>

#include "meeting.h"

int ready = 0;
Meeting done(2);

int main() {
  std::printf("process %d\n", getpid());
  std::thread a([] {
    ready = 1;
    done.wait();
  });
  int seen = 0;
  std::thread b([&] {
    done.wait();
    seen = ready;
  });
  a.join();
  b.join();
  return seen == 1 ? 0 : 3;
}
