// posix_spawn, system and popen start other programs, from a process with threads.
// EXPECT: none
// STDOUT: spawned
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "../support/check.h"
#include "../support/in_order.h"

extern char** environ;

static void* idle(void* unused) {
  inv_wait(1);
  return unused;
}

int main(void) {
  pthread_t t;
  pid_t child;
  int status = 0;
  char text[16] = "";
  char* arguments[] = {(char*)"echo", (char*)"spawned", 0};
  pthread_create(&t, 0, idle, 0);
  CHECK(posix_spawn(&child, "/bin/echo", 0, 0, arguments, environ) == 0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(system("exit 3") == 3 << 8);
  FILE* output = popen("echo piped", "r");
  CHECK(fgets(text, sizeof text, output) != 0 && strcmp(text, "piped\n") == 0);
  CHECK(pclose(output) == 0);
  inv_post(1);
  pthread_join(t, 0);
  return 0;
}
