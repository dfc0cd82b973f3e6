// The library, not instrumented: locks of its own, and it gives, or waits with, those of others.
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t mtx;

void quiet_init(void) {
  pthread_spin_init(&spin, 0);
  mtx_init(&mtx, mtx_plain);
}
void quiet_own(char kind) {
  switch (kind) {
    case 'm':
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
      break;
    case 's':
      pthread_spin_lock(&spin);
      pthread_spin_unlock(&spin);
      break;
    case 'r':
      pthread_rwlock_rdlock(&rwlock);
      pthread_rwlock_unlock(&rwlock);
      break;
    case 'w':
      pthread_rwlock_wrlock(&rwlock);
      pthread_rwlock_unlock(&rwlock);
      break;
    case 'x':
      mtx_lock(&mtx);
      mtx_unlock(&mtx);
  }
}
void quiet_give(char kind, void* lock) {
  switch (kind) {
    case 'm':
      pthread_mutex_unlock(lock);
      break;
    case 's':
      pthread_spin_unlock(lock);
      break;
    case 'r':
    case 'w':
      pthread_rwlock_unlock(lock);
      break;
    case 'x':
      mtx_unlock(lock);
  }
}
void quiet_take_and_give(pthread_mutex_t* m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
}
void quiet_wait(pthread_cond_t* condition, pthread_mutex_t* with) {
  pthread_cond_wait(condition, with);
}
