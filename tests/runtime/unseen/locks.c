// locks own KIND: two threads, one after the other, each between a lock of the library's; a race, if that
// counts for nothing. locks given KIND: each takes a lock of ours, which the library gives; no race. locks
// again: the library takes a lock, too, that the first thread has, and is reported with.
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <threads.h>

#include "support/invisible.h"

void quiet_init(void);
void quiet_own(char kind);
void quiet_give(char kind, void* lock);
void quiet_take_and_give(pthread_mutex_t* m);
void quiet_wait(pthread_cond_t* condition, pthread_mutex_t* with);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t mtx;

static char kind;
static int is_own;
ALONE int x;
ALONE int is_there;

static void change(char how) {
  switch (is_own ? 0 : how) {
    case 'm':
      pthread_mutex_lock(&mutex);
      x = x + 1;
      return quiet_give(how, &mutex);
    case 's':
      pthread_spin_lock(&spin);
      x = x + 1;
      return quiet_give(how, (void*)&spin);
    case 'w':
      pthread_rwlock_wrlock(&rwlock);
      x = x + 1;
      return quiet_give(how, &rwlock);
    case 'r': {
      pthread_rwlock_rdlock(&rwlock);
      volatile int seen = x;
      (void)seen;
      return quiet_give(how, &rwlock);
    }
    case 'x':
      mtx_lock(&mtx);
      x = x + 1;
      return quiet_give(how, &mtx);
  }
}
static void* first(void* none) {
  if (kind == 'a') {
    pthread_mutex_lock(&again);
    quiet_take_and_give(&again);
    x = 1;
    pthread_mutex_unlock(&again);
  } else if (is_own) {
    x = 1;
    quiet_own(kind == 'r' ? 'w' : kind);  // what readers receive
  } else {
    change(kind == 'r' ? 'w' : kind);
  }
  inv_post(1);
  inv_wait(2);  // a thread's end gives all that it holds
  return none;
}
static void* second(void* none) {
  inv_wait(1);
  if (kind == 'a') {
    x = 2;
  } else if (is_own) {
    quiet_own(kind);
    x = 2;
  } else {
    change(kind);
  }
  inv_post(2);
  return none;
}

static void* waits(void* none) {
  pthread_mutex_lock(&mutex);
  inv_post(1);
  while (!is_there) quiet_wait(&condition, &mutex);
  x = x + 1;
  pthread_mutex_unlock(&mutex);
  return none;
}
static void* wakes(void* none) {
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  is_there = 1;
  x = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(int count, char** words) {
  if (count < 2) return 2;
  is_own = strcmp(words[1], "own") == 0;
  const char* const what = words[count - 1];
  kind = strcmp(what, "mtx") == 0 ? 'x' : what[0];
  const int with_wait = strcmp(what, "wait") == 0;
  pthread_spin_init(&spin, 0);
  mtx_init(&mtx, mtx_plain);
  quiet_init();
  pthread_t one, two;
  pthread_create(&one, NULL, with_wait ? waits : first, NULL);
  pthread_create(&two, NULL, with_wait ? wakes : second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
