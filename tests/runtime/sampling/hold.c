// Runs a program with the thread stopped that is none of its own: the sampler's. The program prints
// its own threads' numbers, and gets a line when the other is stopped.
//   hold PROGRAM
// Exit code: the program's; 1 if it does not end; 77 if threads cannot be stopped here.
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t program;

static void give_up(int signal) {
  (void)signal;
  kill(program, SIGKILL);
  _exit(1);
}

// The thread that is neither of the two; it has been started when the second of them has.
static pid_t other_thread(const int* own) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", program);
  DIR* tasks = opendir(path);
  pid_t other = 0;
  for (struct dirent* task; (task = readdir(tasks)) != 0;) {
    const pid_t id = atoi(task->d_name);
    if (id != 0 && id != own[0] && id != own[1]) other = id;
  }
  closedir(tasks);
  return other;
}

// In its wait, so that it has no lock.
static int stop_in_wait(pid_t thread) {
  if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0) return 0;
  for (;;) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) return 0;
    waitpid(thread, 0, __WALL);
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return 0;
    if (registers.orig_rax == SYS_ppoll) return 1;
    ptrace(PTRACE_CONT, thread, 0, 0);
  }
}

int main(int argc, char** argv) {
  int in[2], out[2];
  if (argc != 2 || pipe(in) != 0 || pipe(out) != 0) return 2;
  program = fork();
  if (program == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  signal(SIGALRM, give_up);
  alarm(30);
  close(out[1]);
  int own[2];
  FILE* said = fdopen(out[0], "r");
  if (fscanf(said, "%d %d", &own[0], &own[1]) != 2) return 2;
  const pid_t sampler = other_thread(own);
  if (sampler == 0) {
    fprintf(stderr, "hold: no third thread\n");
    kill(program, SIGKILL);
    return 2;
  }
  if (!stop_in_wait(sampler)) {
    kill(program, SIGKILL);
    return 77;
  }
  if (write(in[1], "go\n", 3) != 3) return 2;
  for (int status;;) {
    const pid_t ended = waitpid(-1, &status, __WALL);  // the stopped thread's end must be seen too
    if (ended < 0) return 2;
    if (ended == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
}
