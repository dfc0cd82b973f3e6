// Says its process number in one file, waits for another to appear, and then has its race.
//   told READY GO
#include <stdio.h>
#include <unistd.h>

#include "in_order.h"

static const char* go;
static int shared ALONE;

static void write_first(void) {
  while (access(go, F_OK) != 0) usleep(1000);
  shared = 1;
}
static void write_second(void) {
  shared = 2;
}

static void say(const char* path) {
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.new", path);
  FILE* file = fopen(temporary, "w");
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
  rename(temporary, path);
}

static void* start(void* path) {
  say((const char*)path);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  go = argv[2];
  keep_address(&shared);
  // A second thread: from then on the program listens.
  pthread_t thread;
  pthread_create(&thread, 0, start, argv[1]);
  in_order(write_first, write_second);
  pthread_join(thread, 0);
}
