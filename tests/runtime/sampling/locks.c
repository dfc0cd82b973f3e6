// Locks taken while checks are off and given while they are on, and the reverse. While they are
// off, a lock is not listed among those its thread holds.
#include <semaphore.h>
#include <stdlib.h>

#include "switching.h"

static int data ALONE;
static int other ALONE;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void lock(void) {
  pthread_mutex_lock(&mutex);
}
static void unlock(void) {
  pthread_mutex_unlock(&mutex);
}

// Chooses its version when it is called: a thread that has waited since before the switch goes on
// without checks until then.
NOINLINE static void write_anew(int value) {
  data = value;
}

// --- taken while off, given while on ------------------------------------------------------------

static void mutex_taken_off(int me) {
  A lock();
  on();
  A {
    data = 1;
    unlock();
  }
  then();
  B {
    lock();
    data = 2;
    unlock();
  }
}

// B has begun to wait for it while off.
static void mutex_waited_for_off(int me) {
  A lock();
  then();
  A {
    inv_wait_blocked(thread_ids[1]);
    on_alone();
    data = 1;
    unlock();
  }
  B {
    lock();
    write_anew(2);
    unlock();
  }
}

static void race_mutex_taken_off(int me) {
  A lock();
  on();
  A {
    data = 1;
    unlock();
  }
  then();
  B data = 2;
}

// What B received from the lock came before what A writes.
static void race_mutex_given_off(int me) {
  A {
    lock();
    unlock();
  }
  on();
  A data = 1;
  then();
  B {
    lock();
    data = 2;
    unlock();
  }
}

static void recursive_taken_off(int me) {
  A {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
  }
  on();
  A {
    data = 1;
    pthread_mutex_unlock(&recursive);
    data = 2;
    pthread_mutex_unlock(&recursive);
  }
  then();
  B {
    pthread_mutex_lock(&recursive);
    data = 3;
    pthread_mutex_unlock(&recursive);
  }
}

// Its outer level while off, its inner one while on.
static void recursive_taken_again_on(int me) {
  A pthread_mutex_lock(&recursive);
  on();
  A {
    pthread_mutex_lock(&recursive);
    data = 1;
    pthread_mutex_unlock(&recursive);
    data = 2;
    pthread_mutex_unlock(&recursive);
  }
  then();
  B {
    pthread_mutex_lock(&recursive);
    data = 3;
    pthread_mutex_unlock(&recursive);
  }
}

static void reader_in_off(int me) {
  A pthread_rwlock_rdlock(&rwlock);
  on();
  A {
    keep(data);
    pthread_rwlock_unlock(&rwlock);
  }
  then();
  B {
    pthread_rwlock_wrlock(&rwlock);
    data = 2;
    pthread_rwlock_unlock(&rwlock);
  }
}

static void writer_in_off(int me) {
  A pthread_rwlock_wrlock(&rwlock);
  on();
  A {
    data = 1;
    pthread_rwlock_unlock(&rwlock);
  }
  then();
  B {
    pthread_rwlock_rdlock(&rwlock);
    keep(data);
    pthread_rwlock_unlock(&rwlock);
  }
}

// Readers do not order each other, whenever they came.
static void race_readers_in_off(int me) {
  A pthread_rwlock_rdlock(&rwlock);
  on();
  A {
    data = 1;
    pthread_rwlock_unlock(&rwlock);
  }
  then();
  B {
    pthread_rwlock_rdlock(&rwlock);
    data = 2;
    pthread_rwlock_unlock(&rwlock);
  }
}

// --- taken while on, given while off ------------------------------------------------------------

// What was listed must leave the list: the race after is not one between holders of a lock (the
// test looks for that in its report).
static void race_mutex_taken_on(int me) {
  on();
  A {
    lock();
    data = 1;
  }
  off();
  A unlock();
  on();
  A other = 1;
  then();
  B other = 2;
}

static void mutex_taken_on(int me) {
  on();
  A {
    lock();
    data = 1;
  }
  off();
  A {
    data = 2;
    unlock();
  }
  then();
  B {
    lock();
    data = 3;
  }
  on();
  B {
    data = 4;
    unlock();
  }
  then();
  A {
    lock();
    data = 5;
    unlock();
  }
}

static void recursive_taken_on(int me) {
  on();
  A {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    data = 1;
  }
  off();
  A pthread_mutex_unlock(&recursive);
  on();
  A {
    data = 2;
    pthread_mutex_unlock(&recursive);
  }
  then();
  B {
    pthread_mutex_lock(&recursive);
    data = 3;
    pthread_mutex_unlock(&recursive);
  }
}

static void reader_in_on(int me) {
  on();
  A {
    pthread_rwlock_rdlock(&rwlock);
    keep(data);
  }
  off();
  A pthread_rwlock_unlock(&rwlock);
  then();
  B {
    pthread_rwlock_wrlock(&rwlock);
    data = 1;
  }
  on();
  B {
    data = 2;
    pthread_rwlock_unlock(&rwlock);
  }
  then();
  A {
    pthread_rwlock_rdlock(&rwlock);
    keep(data);
    pthread_rwlock_unlock(&rwlock);
  }
}

// --- waits that begin while off and end while on ------------------------------------------------

static void condition_waited_for_off(int me) {
  static int ready;
  A {
    lock();
    inv_arrive();
    while (!ready) pthread_cond_wait(&condition, &mutex);
    write_anew(2);
    unlock();
  }
  B {
    inv_wait(3);  // both have been at the start, and A has the mutex
    inv_wait_blocked(thread_ids[0]);
    lock();
    unlock();  // A waits for the condition, not for the mutex
    on_alone();
    lock();
    data = 1;
    ready = 1;
    pthread_cond_signal(&condition);
    unlock();
  }
}

static void semaphore_waited_for_off(int me) {
  static sem_t semaphore;
  A sem_init(&semaphore, 0, 0);
  then();
  A {
    sem_wait(&semaphore);
    write_anew(2);
  }
  B {
    inv_wait_blocked(thread_ids[0]);
    on_alone();
    data = 1;
    sem_post(&semaphore);
  }
}

static void barrier_waited_for_off(int me) {
  static pthread_barrier_t barrier;
  A pthread_barrier_init(&barrier, 0, 2);
  then();
  A {
    pthread_barrier_wait(&barrier);
    write_anew(2);
  }
  B {
    inv_wait_blocked(thread_ids[0]);
    on_alone();
    data = 1;
    pthread_barrier_wait(&barrier);
  }
}

// --- waiting ------------------------------------------------------------------------------------

static int may_go;  // guarded by the mutex

// B waits, sampling, until A lets it go; checks go off meanwhile.
static void waits_while_on(int me) {
  on();
  B {
    lock();
    other = 1;
    while (!may_go) pthread_cond_wait(&condition, &mutex);
    unlock();
    return;
  }
  inv_wait_blocked(thread_ids[1]);
  data = 1;
  steward_sample(0);
  while (!checks_are_off()) {
    lock();
    unlock();
    inv_yield();
  }
  lock();
  may_go = 1;
  pthread_cond_signal(&condition);
  unlock();
}

// B samples again once it has waited: its write is the first of the two.
static void race_after_wait(int me) {
  on();
  B {
    lock();
    while (!may_go) pthread_cond_wait(&condition, &mutex);
    unlock();
    data = 1;
  }
  A {
    inv_wait_blocked(thread_ids[1]);
    lock();
    may_go = 1;
    pthread_cond_signal(&condition);
    unlock();
  }
  then();
  A data = 2;
}

int main(int argc, char** argv) {
  static const struct Scenario scenarios[] = {
      SCENARIO(mutex_taken_off),
      SCENARIO(mutex_waited_for_off),
      SCENARIO(race_mutex_taken_off),
      SCENARIO(race_mutex_given_off),
      SCENARIO(recursive_taken_off),
      SCENARIO(recursive_taken_again_on),
      SCENARIO(reader_in_off),
      SCENARIO(writer_in_off),
      SCENARIO(race_readers_in_off),
      SCENARIO(race_mutex_taken_on),
      SCENARIO(mutex_taken_on),
      SCENARIO(recursive_taken_on),
      SCENARIO(reader_in_on),
      SCENARIO(condition_waited_for_off),
      SCENARIO(semaphore_waited_for_off),
      SCENARIO(barrier_waited_for_off),
      SCENARIO(waits_while_on),
      SCENARIO(race_after_wait),
  };
  keep_address(&data);
  keep_address(&other);
  return run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
