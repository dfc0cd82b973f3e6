// Every way to write a jumbled variable is seen: each of these writes 5 to one, and then a thread
// that is ordered after nothing reads it. Under "oldest" it gets the initial 7 exactly if the write
// was known as a write; the value in memory otherwise.
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

#include "meeting.h"

struct Box {
  int by_store, by_memcpy, by_memset, by_struct_copy, by_bytes, by_read;
};
Box box{7, 7, 7, 7, 7, 7};
Box fives{5, 5, 5, 5, 5, 5};
Meeting written(2);

[[gnu::noinline]] void copy(void* to, const void* from, unsigned long n) {
  std::memcpy(to, from, n);
}

int main() {
  std::printf("%d %d %d %d %d %d\n", box.by_store, box.by_memcpy, box.by_memset, box.by_struct_copy,
              box.by_bytes, box.by_read);  // jumbled from here on
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 1;
  std::thread writer([&] {
    box.by_store = 5;
    copy(&box.by_memcpy, &fives.by_memcpy, sizeof(int));
    std::memset(&box.by_memset, 5, sizeof(int));
    copy(&box.by_struct_copy, &fives.by_struct_copy, 2 * sizeof(int));
    const char byte = 5;
    reinterpret_cast<char*>(&box.by_bytes)[0] = byte;
    if (write(pipe_ends[1], &fives.by_read, sizeof(int)) != sizeof(int)) return;
    if (read(pipe_ends[0], &box.by_read, sizeof(int)) != sizeof(int)) return;
    written.wait();
  });
  int got[6] = {};
  std::thread reader([&] {
    written.wait();
    got[0] = box.by_store;
    got[1] = box.by_memcpy;
    got[2] = box.by_memset;
    got[3] = box.by_struct_copy;
    got[4] = box.by_bytes;
    got[5] = box.by_read;
  });
  writer.join();
  reader.join();
  std::printf("%d %d %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4], got[5]);
}
