// Text by the character: threads cut a shared text into words, copy each word in capitals into a
// buffer of their own and hash it byte by byte; then the same with memcpy, strlen and strcmp.
#include <pthread.h>
#include <string.h>

#include "kernel.h"

enum { kText = 1 << 20, kLongestWord = 12, kRounds = 64 };

static char text[kText + 1];
static long rounds;
static int thread_count;

static int is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

static uint64_t by_character(const char* from, const char* end) {
  char word[kLongestWord + 1];
  uint64_t sum = 0;
  while (from < end) {
    while (from < end && !is_letter(*from)) ++from;
    int length = 0;
    while (from < end && is_letter(*from)) word[length++] = (char)(*from++ - 'a' + 'A');
    word[length] = '\0';
    uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
    for (const char* c = word; *c != '\0'; ++c) hash = (hash ^ (uint8_t)*c) * 0x100000001b3U;
    sum += hash;
  }
  return sum;
}

static uint64_t by_library(const char* from, const char* end) {
  char word[kLongestWord + 1] = "", previous[kLongestWord + 1] = "";
  uint64_t sum = 0;
  while (from < end) {
    const char* blank = memchr(from, ' ', (size_t)(end - from));
    if (blank == NULL) blank = end;
    const size_t length = (size_t)(blank - from) % kLongestWord;
    memcpy(previous, word, sizeof word);
    memcpy(word, from, length);
    word[length] = '\0';
    sum = sum * 31 + strlen(word) + (strcmp(word, previous) < 0);
    from = blank + 1;
  }
  return sum;
}

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument;
  const char* begin = text + (long)kText * thread / thread_count;
  const char* end = text + (long)kText * (thread + 1) / thread_count;
  uint64_t sum = 0;
  for (long round = 0; round < rounds; ++round) {
    sum = sum * 31 + by_character(begin, end);
    sum = sum * 31 + by_library(begin, end);
  }
  return (void*)(uintptr_t)sum;
}

int main(int argc, char** argv) {
  const struct Arguments arguments = read_arguments(argc, argv);
  rounds = scaled(kRounds, arguments);
  thread_count = arguments.threads;
  for (int at = 0, left = 0; at < kText; ++at) {
    if (left == 0) left = 2 + (int)(mix((uint64_t)at) % (kLongestWord - 2));
    text[at] = --left == 0 ? ' ' : (char)('a' + mix((uint64_t)at + kText) % 26);
  }
  pthread_t threads[kMostThreads];
  for (int t = 0; t < thread_count; ++t)
    pthread_create(&threads[t], NULL, work, (void*)(intptr_t)t);
  uint64_t sum = 0;
  for (int t = 0; t < thread_count; ++t) {
    void* result = NULL;
    pthread_join(threads[t], &result);
    sum += (uint64_t)(uintptr_t)result;
  }
  print_checksum(sum);
  return 0;
}
