// The public interface of ThreadSanitizer's runtime, as programs use it. Every function is weak, so
// a program also links and runs without any detector: the calls then do nothing.
#ifndef STEWARD_TESTS_PROGRAMS_ANNOTATIONS_H
#define STEWARD_TESTS_PROGRAMS_ANNOTATIONS_H

#ifdef __cplusplus
#define ANNOTATION extern "C" __attribute__((weak))
#else
#define ANNOTATION extern __attribute__((weak))
#endif

ANNOTATION void __tsan_acquire(void* address);
ANNOTATION void __tsan_release(void* address);

ANNOTATION void __tsan_mutex_create(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_destroy(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_pre_lock(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_post_lock(void* address, unsigned flags, int recursion);
ANNOTATION int __tsan_mutex_pre_unlock(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_post_unlock(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_pre_signal(void* address, unsigned flags);
ANNOTATION void __tsan_mutex_post_signal(void* address, unsigned flags);

ANNOTATION void* __tsan_get_current_fiber(void);
ANNOTATION void* __tsan_create_fiber(unsigned flags);
ANNOTATION void __tsan_destroy_fiber(void* fiber);
ANNOTATION void __tsan_switch_to_fiber(void* fiber, unsigned flags);
ANNOTATION void __tsan_set_fiber_name(void* fiber, const char* name);

ANNOTATION void __tsan_flush_memory(void);

ANNOTATION void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
ANNOTATION void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
ANNOTATION void AnnotateIgnoreReadsBegin(const char* file, int line);
ANNOTATION void AnnotateIgnoreReadsEnd(const char* file, int line);
ANNOTATION void AnnotateIgnoreWritesBegin(const char* file, int line);
ANNOTATION void AnnotateIgnoreWritesEnd(const char* file, int line);
ANNOTATION void AnnotateIgnoreSyncBegin(const char* file, int line);
ANNOTATION void AnnotateIgnoreSyncEnd(const char* file, int line);
ANNOTATION void AnnotateNewMemory(const char* file, int line, const volatile void* address,
                                  long size);
ANNOTATION void AnnotateBenignRaceSized(const char* file, int line, const volatile void* address,
                                        long size, const char* description);
ANNOTATION void AnnotateRWLockCreate(const char* file, int line, const volatile void* lock);
ANNOTATION void AnnotateRWLockDestroy(const char* file, int line, const volatile void* lock);
ANNOTATION void AnnotateRWLockAcquired(const char* file, int line, const volatile void* lock,
                                       long is_write);
ANNOTATION void AnnotateRWLockReleased(const char* file, int line, const volatile void* lock,
                                       long is_write);
ANNOTATION void AnnotateThreadName(const char* file, int line, const char* name);

enum {
  kMutexReadLock = 1 << 3,
  kMutexTryLock = 1 << 4,
  kMutexTryLockFailed = 1 << 5,
  kMutexNotStatic = 1 << 8,
  kFiberNoSync = 1 << 0,
};

#define CALL(function, ...) ((function) ? (void)(function)(__VA_ARGS__) : (void)0)
#define CALL_HERE(function, ...) CALL(function, __FILE__, __LINE__, ##__VA_ARGS__)

#endif
