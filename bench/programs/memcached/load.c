// Load for a cache server (memcached's text protocol, on a local socket): fills it, then asks, then
// ends it.
//   load SOCKET ITEMS REQUESTS
// Four connections with 64 requests on their way each; one in ten sets, the others get. A value
// follows from its key, so every reply is known. Prints "right", or what was wrong (exit code 1),
// before it ends the server: who has waited for that can read it.
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { kConnections = 4, kBatch = 64, kLeast = 400, kMost = 1600, kText = kMost + 128 };

typedef struct {
  FILE* in;
  FILE* out;
  uint64_t keys[kBatch];
  bool sets[kBatch];
  unsigned count;
} Connection;

static Connection all[kConnections];

// Whatever went wrong, nobody should wait for a server without clients.
static void end_server(void) {
  if (all[0].out != NULL) {
    fputs("shutdown\r\n", all[0].out);
    fflush(all[0].out);
  }
}

static _Noreturn void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
  end_server();
  exit(1);
}

// splitmix64 (Steele, Lea, Flood 2014)
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

static unsigned make_value(uint64_t key, char* value) {
  const unsigned length = kLeast + (unsigned)(mix(key) % (kMost - kLeast));
  memset(value, 'a' + (int)(key % 26), length);
  return length;
}

// The server has just been started.
static Connection open_connection(const char* path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("too long for a socket: %s", path);
  strcpy(address.sun_path, path);
  for (int tries = 0; tries < 3000; ++tries) {
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (s >= 0 && connect(s, (const struct sockaddr*)&address, sizeof address) == 0) {
      return (Connection){.in = fdopen(s, "r"), .out = fdopen(dup(s), "w")};
    }
    if (s >= 0) close(s);
    usleep(20000);
  }
  fail("nobody listens on %s", path);
}

static void ask(Connection* c, uint64_t key, bool sets) {
  if (sets) {
    char value[kMost];
    const unsigned length = make_value(key, value);
    fprintf(c->out, "set key-%" PRIu64 " 0 0 %u\r\n", key, length);
    fwrite(value, 1, length, c->out);
    fputs("\r\n", c->out);
  } else {
    fprintf(c->out, "get key-%" PRIu64 "\r\n", key);
  }
  c->keys[c->count] = key;
  c->sets[c->count++] = sets;
}

static void expect(Connection* c, const char* wanted, unsigned length) {
  char got[kText];
  const unsigned n = (unsigned)fread(got, 1, length, c->in);
  if (n != length || memcmp(got, wanted, length) != 0) {
    fail("'%.*s', not '%.*s'", n < 40 ? (int)n : 40, got, length < 40 ? (int)length : 40, wanted);
  }
}

static void hear(Connection* c) {
  for (unsigned i = 0; i < c->count; ++i) {
    if (c->sets[i]) {
      expect(c, "STORED\r\n", 8);
      continue;
    }
    char value[kMost], wanted[kText];
    const unsigned length = make_value(c->keys[i], value);
    unsigned n =
        (unsigned)snprintf(wanted, sizeof wanted, "VALUE key-%" PRIu64 " 0 %u\r\n", c->keys[i], length);
    memcpy(wanted + n, value, length);
    n += length;
    memcpy(wanted + n, "\r\nEND\r\n", 7);
    expect(c, wanted, n + 7);
  }
  c->count = 0;
}

// All connections' requests are on their way before the first one's replies are read.
static void one_round(uint64_t* next, uint64_t end, uint64_t items, bool fills) {
  for (int i = 0; i < kConnections; ++i) {
    for (int k = 0; k < kBatch && *next < end; ++k, ++*next) {
      const uint64_t random = mix(*next);
      if (fills) {
        ask(&all[i], *next, true);
      } else {
        ask(&all[i], random % items, (random >> 40) % 10 == 0);
      }
    }
    if (fflush(all[i].out) != 0) fail("the server has closed a connection");
  }
  for (int i = 0; i < kConnections; ++i) hear(&all[i]);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s SOCKET ITEMS REQUESTS\n", argv[0]);
    return 2;
  }
  const uint64_t items = strtoull(argv[2], NULL, 10), requests = strtoull(argv[3], NULL, 10);
  for (int i = 0; i < kConnections; ++i) all[i] = open_connection(argv[1]);
  if (items == 0) fail("no items");
  for (uint64_t next = 0; next < items;) one_round(&next, items, items, true);
  for (uint64_t next = 0; next < requests;) one_round(&next, requests, items, false);
  puts("right");
  fflush(stdout);
  end_server();
}
