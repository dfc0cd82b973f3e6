// The world as it is: accesses are the machine's, threads the kernel's, and a race detector, if one
// is there, is told by lard.h what is the program's and what is ours.
#pragma once

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <steward/lard.h>
#include <thread>
#include <utility>

#include "object.h"

namespace managed::world {

#define MANAGED_INLINE [[gnu::always_inline]] inline

// A place in the program, for worlds that write down who did what.
struct Place {
  static constexpr Place here() { return {}; }
};

// -- the program's ----------------------------------------------------------------------------

template <class T>
MANAGED_INLINE T read(Object*, const T* p, Place) {
  return *p;
}
template <class T>
MANAGED_INLINE void write(Object*, T* p, T value, Place) {
  *p = value;
}
MANAGED_INLINE void load_reference(Object*, const void*, Object*) {}
MANAGED_INLINE void store_reference(Object*, const void*, Object*) {}

// A lock of the program: the detector knows std::mutex.
class Lock {
 public:
  explicit Lock(const char*) {}
  // `while_waiting` is called with a function that waits.
  template <class F>
  void acquire(F while_waiting, Place) {
    while_waiting([this] { mutex_.lock(); });
  }
  void release(Place) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class Thread {
 public:
  template <class F>
  Thread(const char*, F body) : thread_(std::move(body)) {}
  template <class F>
  void join(F while_waiting) {
    while_waiting([this] { thread_.join(); });
  }

 private:
  std::thread thread_;
};

// -- the system's -----------------------------------------------------------------------------

class Region {
 public:
  Region() { steward_lard_system_begin(); }
  ~Region() { steward_lard_system_end(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

template <class T>
T system_read(const T* p) {
  return *p;
}
template <class T>
void system_write(T* p, T value) {
  *p = value;
}
// A flag that is read without its lock: a safepoint is polled for far more often than there is one.
inline bool system_flag(const bool* p) {
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}
inline void set_system_flag(bool* p, bool value) {
  __atomic_store_n(p, value, __ATOMIC_RELAXED);
}
inline void system_copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

class Mutex {
 public:
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  // Held before and after.
  template <class F>
  void wait(F until) {
    std::unique_lock<std::mutex> guard(mutex_, std::adopt_lock);
    changed_.wait(guard, until);
    guard.release();
  }
  void notify() { changed_.notify_all(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

inline void heap_at(const void*, std::size_t) {}
inline void statics_at(const void*, std::size_t) {}
inline void born(Object*) {}
inline void clear_history(const void* p, std::size_t bytes) {
  steward_lard_clear_history(p, bytes);
}
inline void copy_history(const void* from, const void* to, std::size_t bytes) {
  steward_lard_copy_history(from, to, bytes);
}

}  // namespace managed::world
