// Stands in for the runtime library in the tests of 'steward run': takes the calls of an
// instrumented program and writes the records of a made-up race whenever two threads write the
// same four bytes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file = -1;
static int races;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread void* stack[64];
static __thread int depth;
static __thread int self;
static int threads;

static struct {
  void* address;
  void* pc;
  int thread;
  int depth;
  void* stack[64];
} last[64];
static int lasts;

static void line(const char* format, ...) {
  char text[8192];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (file >= 0 && write(file, text, (size_t)n) != n) file = -1;
}

static int module(struct dl_phdr_info* info, size_t size, void* first) {
  (void)size;
  unsigned long end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && p->p_vaddr + p->p_memsz > end) end = p->p_vaddr + p->p_memsz;
  }
  char exe[4096] = "";
  if (*(int*)first && readlink("/proc/self/exe", exe, sizeof exe - 1) < 0) return 0;
  const char* path = *(int*)first ? exe : info->dlpi_name;
  *(int*)first = 0;
  line("{\"type\":\"module\",\"path\":\"%s\",\"begin\":\"%#lx\",\"end\":\"%#lx\",\"load\":\"0x%lx\"}\n",
       path, info->dlpi_addr, info->dlpi_addr + end, info->dlpi_addr);
  return 0;
}

__attribute__((constructor)) static void start(void) {
  const char* prefix = getenv("STEWARD_RECORD");
  if (prefix == NULL || file >= 0) return;
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", prefix, getpid());
  file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  char exe[4096] = "";
  if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0) return;
  line("{\"type\":\"start\",\"version\":1,\"pid\":%d,\"tool\":\"fake\",\"exe\":\"%s\",\"args\":[]}\n",
       getpid(), exe);
  int first = 1;
  dl_iterate_phdr(module, &first);
}

__attribute__((destructor)) static void end(void) {
  line("{\"type\":\"end\",\"races\":%d,\"stats\":{\"writes\":7}}\n", races);
}

static const char* addresses(char* to, void* pc, void** frames, int n) {
  char* at = to + sprintf(to, "\"%p\"", pc);
  // the innermost call's return address belongs to the caller
  for (int i = n - 1; i >= 0; --i) at += sprintf(at, ",\"%p\"", frames[i]);
  return to;
}

static void access4(void* address, void* pc) {
  if (self == 0 && depth == 0) return;
  pthread_mutex_lock(&lock);
  char now[2048], then[2048];
  int found = 0;
  for (int i = 0; i < lasts; ++i) {
    if (last[i].address != address) continue;
    found = 1;
    if (last[i].thread == self) continue;
    ++races;
    line("{\"type\":\"thread\",\"id\":%d,\"os\":%d,\"name\":\"\",\"parent\":0,\"stack\":[]}\n", self,
         gettid());
    line("{\"type\":\"race\",\"address\":\"%p\",\"size\":4,\"accesses\":["
         "{\"kind\":\"write\",\"address\":\"%p\",\"size\":4,\"thread\":%d,\"stack\":[%s],\"locks\":[]},"
         "{\"kind\":\"write\",\"address\":\"%p\",\"size\":4,\"thread\":%d,\"stack\":[%s]}],"
         "\"memory\":{\"kind\":\"global\"},\"locks\":[]}\n",
         address, address, self, addresses(now, pc, stack, depth), address, last[i].thread,
         addresses(then, last[i].pc, last[i].stack, last[i].depth));
  }
  if (!found && lasts < 64) {
    last[lasts].address = address;
    last[lasts].pc = pc;
    last[lasts].thread = self;
    last[lasts].depth = depth;
    memcpy(last[lasts].stack, stack, sizeof stack);
    ++lasts;
  }
  pthread_mutex_unlock(&lock);
}

void __tsan_init(void) {}
void __tsan_func_entry(void* pc) {
  if (self == 0) self = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) + 1;
  if (depth < 64) stack[depth] = pc;
  ++depth;
}
void __tsan_func_exit(void) { --depth; }
void __tsan_read1(void* a) { (void)a; }
void __tsan_read2(void* a) { (void)a; }
void __tsan_read4(void* a) { (void)a; }
void __tsan_read8(void* a) { (void)a; }
void __tsan_read16(void* a) { (void)a; }
void __tsan_write1(void* a) { (void)a; }
void __tsan_write2(void* a) { (void)a; }
void __tsan_write4(void* a) { access4(a, __builtin_return_address(0)); }
void __tsan_write8(void* a) { (void)a; }
void __tsan_write16(void* a) { (void)a; }
