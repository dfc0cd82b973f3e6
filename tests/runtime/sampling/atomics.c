// Atomics that publish data, done partly in place while checks are off and partly by the detector
// while they are on.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "switching.h"

static int data ALONE;
static int other ALONE;
static atomic_int flag ALONE;

// --- published while off, received while on -----------------------------------------------------

static void stored_off_loaded_on(int me) {
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
  }
  on();
  B {
    while (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
  }
}

static void added_off_exchanged_on(int me) {
  A {
    data = 1;
    atomic_fetch_add_explicit(&flag, 1, memory_order_acq_rel);
  }
  on();
  B {
    int expected = 1;
    if (!atomic_compare_exchange_strong(&flag, &expected, 2)) abort();
    data = 2;
  }
}

// The value that is received was published before what is sampled.
static void race_stored_off_then_written(int me) {
  A atomic_store_explicit(&flag, 1, memory_order_release);
  on();
  A data = 1;
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
  }
}

// --- while on, after some time off --------------------------------------------------------------

static void stored_and_loaded_on(int me) {
  on();
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
  }
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
  }
}

static void race_relaxed_on(int me) {
  on();
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
  }
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) abort();
    data = 2;
  }
}

// The release sequence that A begins is continued by B while on; C's part is played by A.
static void sequence_from_off_to_on(int me) {
  A atomic_store_explicit(&flag, 1, memory_order_release);
  on();
  B {
    data = 1;
    atomic_fetch_add_explicit(&flag, 1, memory_order_release);
  }
  then();
  A {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 2) abort();
    data = 2;
  }
}

// Published while on, received in place while off: no clock has moved then, nor may it have to.
static void stored_on_loaded_off(int me) {
  on();
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
  }
  off();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
    atomic_store_explicit(&flag, 2, memory_order_release);
  }
  on();
  A {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 2) abort();
    data = 3;
    atomic_store_explicit(&flag, 3, memory_order_release);
  }
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 3) abort();
    data = 4;
  }
}

// The same with another way from A to B in the last round, which does not order them: what `flag`
// gave in the first round is not given again.
static void race_after_two_switches(int me) {
  on();
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
  }
  off();
  on();
  A data = 2;
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 3;
  }
}

// --- while on, but not sampling -----------------------------------------------------------------

static void stored_between(int me) {
  on();
  A data = 1;
  between();
  A atomic_store_explicit(&flag, 1, memory_order_release);
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
  }
}

static void race_relaxed_between(int me) {
  on();
  A data = 1;
  between();
  A atomic_store_explicit(&flag, 1, memory_order_relaxed);
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) abort();
    data = 2;
  }
}

// What is sampled next comes after what was published between.
static void race_stored_between_then_written(int me) {
  on();
  A other = 1;
  between();
  A atomic_store_explicit(&flag, 1, memory_order_release);
  on();
  A data = 1;
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) abort();
    data = 2;
  }
}

// --- fences -------------------------------------------------------------------------------------

static void fence_off_store_on(int me) {
  A {
    data = 1;
    atomic_thread_fence(memory_order_release);
  }
  on();
  A atomic_store_explicit(&flag, 1, memory_order_relaxed);
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) abort();
    atomic_thread_fence(memory_order_acquire);
    data = 2;
  }
}

static void race_fence_off_then_written(int me) {
  A atomic_thread_fence(memory_order_release);
  on();
  A {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
  }
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) abort();
    atomic_thread_fence(memory_order_acquire);
    data = 2;
  }
}

static void fences_on(int me) {
  on();
  A {
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
  }
  then();
  B {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) abort();
    atomic_thread_fence(memory_order_acquire);
    data = 2;
  }
}

// --- begun while off, done while on -------------------------------------------------------------

// B's operation finds checks off,
// and then faults: its page is not accessible. In the handler B waits until A has switched checks
// on, written, made the page accessible and published. So the operation itself, made by the code
// that does it in place, reads what A published.

enum { kPage = 4096, kMprotect = 10, kFaulted = 1000, kPublished };
static atomic_int* far_flag;

INV_HIDDEN static void protect(int how) {
  inv_syscall(kMprotect, (long)far_flag, kPage, how);
}

INV_HIDDEN static void on_fault(int signal) {
  (void)signal;
  inv_post(kFaulted);
  inv_wait(kPublished);
}

static void prepare_fault(void) {
  far_flag =
      (atomic_int*)mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  atomic_store(far_flag, 0);  // the page is there
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_fault;
  sigaction(SIGSEGV, &action, 0);
  protect(PROT_NONE);
}

// Chooses its version when it is called: checked, after the fault.
NOINLINE static void write_anew(int value) {
  data = value;
}

// B's next operation on far_flag reads what A stores here.
static void publish_during_fault(int me) {
  A prepare_fault();
  then();
  B return;
  inv_wait(kFaulted);
  on_alone();
  data = 1;
  protect(PROT_READ | PROT_WRITE);
  atomic_store_explicit(far_flag, 1, memory_order_release);
  inv_post(kPublished);
}

static void begun_off_load(int me) {
  publish_during_fault(me);
  B {
    if (atomic_load_explicit(far_flag, memory_order_acquire) != 1) abort();
    write_anew(2);
  }
}

static void begun_off_add(int me) {
  publish_during_fault(me);
  B {
    if (atomic_fetch_add_explicit(far_flag, 1, memory_order_acq_rel) != 1) abort();
    write_anew(2);
  }
}

static void begun_off_exchange(int me) {
  publish_during_fault(me);
  B {
    int expected = 1;
    if (!atomic_compare_exchange_strong_explicit(far_flag, &expected, 2, memory_order_acquire,
                                                 memory_order_relaxed)) {
      abort();
    }
    write_anew(2);
  }
}

// A failed exchange that acquires all the same.
static void begun_off_failed_exchange(int me) {
  publish_during_fault(me);
  B {
    int expected = 7;
    if (atomic_compare_exchange_strong_explicit(far_flag, &expected, 2, memory_order_release,
                                                memory_order_acquire)) {
      abort();
    }
    write_anew(2);
  }
}

static void race_begun_off_relaxed(int me) {
  publish_during_fault(me);
  B {
    if (atomic_load_explicit(far_flag, memory_order_relaxed) != 1) abort();
    write_anew(2);
  }
}

// The order of the failure counts, not that of a success.
static void race_begun_off_failed_exchange(int me) {
  publish_during_fault(me);
  B {
    int expected = 7;
    if (atomic_compare_exchange_strong_explicit(far_flag, &expected, 2, memory_order_acquire,
                                                memory_order_relaxed)) {
      abort();
    }
    write_anew(2);
  }
}

int main(int argc, char** argv) {
  static const struct Scenario scenarios[] = {
      SCENARIO(stored_off_loaded_on),
      SCENARIO(added_off_exchanged_on),
      SCENARIO(race_stored_off_then_written),
      SCENARIO(stored_and_loaded_on),
      SCENARIO(race_relaxed_on),
      SCENARIO(sequence_from_off_to_on),
      SCENARIO(stored_on_loaded_off),
      SCENARIO(race_after_two_switches),
      SCENARIO(stored_between),
      SCENARIO(race_relaxed_between),
      SCENARIO(race_stored_between_then_written),
      SCENARIO(fence_off_store_on),
      SCENARIO(race_fence_off_then_written),
      SCENARIO(fences_on),
      SCENARIO(begun_off_load),
      SCENARIO(begun_off_add),
      SCENARIO(begun_off_exchange),
      SCENARIO(begun_off_failed_exchange),
      SCENARIO(race_begun_off_relaxed),
      SCENARIO(race_begun_off_failed_exchange),
  };
  keep_address(&data);
  keep_address(&other);
  return run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
