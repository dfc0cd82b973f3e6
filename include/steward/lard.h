/* What memory and threads mean: for allocators, collectors, schedulers and language run-time
 * systems that want race detection of the program they run, not of themselves (LARD: low-level
 * abstractable race detection, OOPSLA 2014).
 *
 * Include this header and call. Nothing to link: without a Steward tool in the process every call
 * is a test of one address that is null. With one (`steward run`, `steward c++`), it does what is
 * said here. C99 or C++, gcc or clang; with another compiler, or with STEWARD_LARD_OFF defined, all
 * calls are empty. docs/lard.md has the whole contract.
 *
 * Misuse (an unknown thread, a region ended that was not begun, ...) is told once, with the
 * caller's stack, and has no other effect.
 */
#ifndef STEWARD_LARD_H
#define STEWARD_LARD_H

#include <stddef.h>
#include <stdint.h>

/* A language thread: a fiber, a green thread, a kernel thread. 0 is none. */
typedef uint64_t steward_lard_thread;

#if defined(__GNUC__) && !defined(STEWARD_LARD_OFF)

#ifdef __cplusplus
extern "C" {
#endif
#define STEWARD_LARD_WEAK __attribute__((weak))
STEWARD_LARD_WEAK int __steward_lard_version(void);
STEWARD_LARD_WEAK void __steward_lard_read(const void*, size_t);
STEWARD_LARD_WEAK void __steward_lard_write(const void*, size_t);
STEWARD_LARD_WEAK void __steward_lard_system_begin(void);
STEWARD_LARD_WEAK void __steward_lard_system_end(void);
STEWARD_LARD_WEAK void __steward_lard_acquire(const void*);
STEWARD_LARD_WEAK void __steward_lard_release(const void*);
STEWARD_LARD_WEAK void __steward_lard_release_merge(const void*);
STEWARD_LARD_WEAK uint32_t __steward_lard_clock_size(void);
STEWARD_LARD_WEAK uint32_t __steward_lard_clock_self(void);
STEWARD_LARD_WEAK uint64_t __steward_lard_read_vc(uint32_t);
STEWARD_LARD_WEAK void __steward_lard_write_vc(uint32_t, uint64_t);
STEWARD_LARD_WEAK void __steward_lard_clear_history(const void*, size_t);
STEWARD_LARD_WEAK void __steward_lard_copy_history(const void*, const void*, size_t);
STEWARD_LARD_WEAK steward_lard_thread __steward_lard_thread_self(void);
STEWARD_LARD_WEAK steward_lard_thread __steward_lard_thread_create(const char*);
STEWARD_LARD_WEAK void __steward_lard_thread_switch(steward_lard_thread);
STEWARD_LARD_WEAK void __steward_lard_thread_end(steward_lard_thread);
#undef STEWARD_LARD_WEAK
#ifdef __cplusplus
}
#endif
/* Always inlined: the call must come from where the program calls, also without optimisation. */
#define STEWARD_LARD_CALL(call) (&__steward_lard_##call != 0)
#define STEWARD_LARD_INLINE static inline __attribute__((always_inline, unused))
#define STEWARD_LARD_DO(name, arguments) \
  if (STEWARD_LARD_CALL(name)) __steward_lard_##name arguments
#define STEWARD_LARD_GET(name, arguments) \
  return STEWARD_LARD_CALL(name) ? __steward_lard_##name arguments : 0

#else

#define STEWARD_LARD_INLINE static inline
#define STEWARD_LARD_DO(name, arguments) (void)0
#define STEWARD_LARD_GET(name, arguments) return 0

#endif

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* "the address can never be null": of a weak function it can. */
#pragma GCC diagnostic ignored "-Waddress"
#endif

/* 0: no tool is here, and all other calls do nothing. Else the version of this interface, 1. */
STEWARD_LARD_INLINE int steward_lard_version(void) {
  STEWARD_LARD_GET(version, ());
}

/* -- Rule 1: accesses -- */

/* The program reads or writes these bytes: analysed even within a system region. For accesses that
 * the compiler does not announce (generated code, interpreters, write barriers). */
STEWARD_LARD_INLINE void steward_lard_read(const void* p, size_t bytes) {
  STEWARD_LARD_DO(read, (p, bytes));
}
STEWARD_LARD_INLINE void steward_lard_write(const void* p, size_t bytes) {
  STEWARD_LARD_DO(write, (p, bytes));
}

/* -- Rules 1 and 2: what belongs to the system -- */

/* Between these two nothing that the calling thread does is analysed: its accesses are not the
 * program's, and its synchronisation (locks, atomics) orders nothing. Regions nest. They belong to
 * the language thread: one that is switched away inside a region is still inside when it comes
 * back. */
STEWARD_LARD_INLINE void steward_lard_system_begin(void) {
  STEWARD_LARD_DO(system_begin, ());
}
STEWARD_LARD_INLINE void steward_lard_system_end(void) {
  STEWARD_LARD_DO(system_end, ());
}

/* -- Rule 2: synchronisation -- */

/* The program synchronises, by means that the tool does not see or that lie within a region. The
 * object is any address; it lasts until its history is cleared, and does not move.
 *   release:        what came before in this thread is published, in place of what was
 *   release_merge:  ... in addition to what was
 *   acquire:        what was published happens before what comes next in this thread */
STEWARD_LARD_INLINE void steward_lard_acquire(const void* object) {
  STEWARD_LARD_DO(acquire, (object));
}
STEWARD_LARD_INLINE void steward_lard_release(const void* object) {
  STEWARD_LARD_DO(release, (object));
}
STEWARD_LARD_INLINE void steward_lard_release_merge(const void* object) {
  STEWARD_LARD_DO(release_merge, (object));
}

/* For a run-time system that keeps clocks of its own: the calling thread's vector clock, entry by
 * entry (ReadVC, WriteVC). Entries are numbered from 0 to clock_size() - 1; clock_self() is the
 * calling thread's own, and may change whenever that entry is written: ask again. Copy all entries
 * somewhere, then raise your own by one: that is a release. Raise each entry to what was copied: an
 * acquire. An entry never falls, and no thread is raised above the time it has told: both are
 * misuse. */
STEWARD_LARD_INLINE uint32_t steward_lard_clock_size(void) {
  STEWARD_LARD_GET(clock_size, ());
}
STEWARD_LARD_INLINE uint32_t steward_lard_clock_self(void) {
  STEWARD_LARD_GET(clock_self, ());
}
STEWARD_LARD_INLINE uint64_t steward_lard_read_vc(uint32_t entry) {
  STEWARD_LARD_GET(read_vc, (entry));
}
STEWARD_LARD_INLINE void steward_lard_write_vc(uint32_t entry, uint64_t value) {
  STEWARD_LARD_DO(write_vc, (entry, value));
}

/* -- Rule 3: memory that is used again -- */

/* What was here is gone; the next to use these bytes does so for the first time. Call it when
 * memory is reclaimed or before it is handed out again, while no thread can touch it. */
STEWARD_LARD_INLINE void steward_lard_clear_history(const void* p, size_t bytes) {
  STEWARD_LARD_DO(clear_history, (p, bytes));
}

/* -- Rule 4: objects that move -- */

/* These bytes are now there: the history goes along, in place of what was there. The old place
 * keeps its own until it is cleared. The ranges do not overlap. The caller makes it one step with
 * the move itself: no thread touches the object meanwhile. */
STEWARD_LARD_INLINE void steward_lard_copy_history(const void* from, const void* to, size_t bytes) {
  STEWARD_LARD_DO(copy_history, (from, to, bytes));
}

/* -- Rule 5: threads -- */

/* Who the calling thread is now. */
STEWARD_LARD_INLINE steward_lard_thread steward_lard_thread_self(void) {
  STEWARD_LARD_GET(thread_self, ());
}
/* A new language thread; its creator's past happens before all it does. `name` may be null. */
STEWARD_LARD_INLINE steward_lard_thread steward_lard_thread_create(const char* name) {
  STEWARD_LARD_GET(thread_create, (name));
}
/* From here on the calling kernel thread runs `thread`, which runs nowhere else. Orders nothing. */
STEWARD_LARD_INLINE void steward_lard_thread_switch(steward_lard_thread thread) {
  STEWARD_LARD_DO(thread_switch, (thread));
}
/* `thread`, created as above, will not run again. Not the one that runs now: switch first. */
STEWARD_LARD_INLINE void steward_lard_thread_end(steward_lard_thread thread) {
  STEWARD_LARD_DO(thread_end, (thread));
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#undef STEWARD_LARD_CALL
#undef STEWARD_LARD_DO
#undef STEWARD_LARD_GET
#undef STEWARD_LARD_INLINE

#endif
