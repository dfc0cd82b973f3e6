// The world written down: every access and synchronisation, the program's and the system's, as
// events of a trace; and beside it the program's alone, with objects by identity instead of
// address: the truth that a detector of the first can be held against.
//
// One thread runs at a time and a seed decides who is next, so that an execution can be had again.
// With carriers, threads are green: each time one runs, it is on some carrier.
#pragma once

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "event/event.h"
#include "trace/names.h"

#include "object.h"

namespace managed::world {

#define MANAGED_INLINE [[gnu::always_inline]] inline

struct Place {
  const char* file;
  int line;
  static constexpr Place here(const char* f = __builtin_FILE(), int l = __builtin_LINE()) {
    return {f, l};
  }
};

struct Recording {
  std::vector<steward::Event> machine;
  std::vector<steward::Event> truth;
  steward::trace::Names names;
};

// Runs `program` and returns what happened. carriers 0: every thread is a kernel thread of its own.
Recording record(std::uint64_t seed, unsigned carriers, const std::function<void()>& program);

// -- what the templates below are made of --------------------------------------------------------
namespace detail {
using steward::EventKind;
void access(EventKind kind, Object* o, const void* p, std::size_t bytes, Place at, bool system);
void reference(EventKind kind, Object* o, const void* p, Object* value);
void synchronise(EventKind kind, std::uint64_t sync, Place at, bool system);
std::uint64_t new_sync(const char* name);
void let_others_run();  // this thread waits for something: another one must act
unsigned fork(const char* name, std::function<void()> body);
bool has_ended(unsigned thread);
void join(unsigned thread);
void range(EventKind kind, const void* p, std::size_t bytes, const void* to);
}  // namespace detail

template <class T>
T read(Object* o, const T* p, Place at) {
  detail::access(detail::EventKind::Read, o, p, sizeof(T), at, false);
  return *p;
}
template <class T>
void write(Object* o, T* p, T value, Place at) {
  detail::access(detail::EventKind::Write, o, p, sizeof(T), at, false);
  *p = value;
}
inline void load_reference(Object* o, const void* p, Object* value) {
  detail::reference(detail::EventKind::LoadRef, o, p, value);
}
inline void store_reference(Object* o, const void* p, Object* value) {
  detail::reference(detail::EventKind::StoreRef, o, p, value);
}

class Lock {
 public:
  explicit Lock(const char* name) : id_(detail::new_sync(name)) {}
  template <class F>
  void acquire(F while_waiting, Place at) {
    while_waiting([this] {
      while (held_) detail::let_others_run();
      held_ = true;
    });
    detail::synchronise(detail::EventKind::Acquire, id_, at, false);
  }
  void release(Place at) {
    detail::synchronise(detail::EventKind::Release, id_, at, false);
    held_ = false;
  }

 private:
  std::uint64_t id_;
  bool held_ = false;
};

class Thread {
 public:
  template <class F>
  Thread(const char* name, F body) : id_(detail::fork(name, std::move(body))) {}
  template <class F>
  void join(F while_waiting) {
    while_waiting([this] {
      while (!detail::has_ended(id_)) detail::let_others_run();
    });
    detail::join(id_);
  }

 private:
  unsigned id_;
};

// What is announced as the system's is so wherever it stands.
class Region {
 public:
  Region() {}
};

template <class T>
T system_read(const T* p, Place at = Place::here()) {
  detail::access(detail::EventKind::Read, nullptr, p, sizeof(T), at, true);
  return *p;
}
template <class T>
void system_write(T* p, T value, Place at = Place::here()) {
  detail::access(detail::EventKind::Write, nullptr, p, sizeof(T), at, true);
  *p = value;
}
inline bool system_flag(const bool* p, Place at = Place::here()) {
  return system_read(p, at);
}
inline void set_system_flag(bool* p, bool value, Place at = Place::here()) {
  system_write(p, value, at);
}
inline void system_copy(void* to, const void* from, std::size_t bytes, Place at = Place::here()) {
  detail::access(detail::EventKind::Read, nullptr, from, bytes, at, true);
  detail::access(detail::EventKind::Write, nullptr, to, bytes, at, true);
  std::memcpy(to, from, bytes);
}

class Mutex {
 public:
  Mutex() : id_(detail::new_sync("heap")) {}
  void lock(Place at = Place::here()) {
    while (held_) detail::let_others_run();
    held_ = true;
    detail::synchronise(detail::EventKind::Acquire, id_, at, true);
  }
  void unlock(Place at = Place::here()) {
    detail::synchronise(detail::EventKind::Release, id_, at, true);
    held_ = false;
  }
  template <class F>
  void wait(F until, Place at = Place::here()) {
    if (until()) return;
    unlock(at);
    while (held_ || !until()) detail::let_others_run();
    lock(at);
  }
  void notify() {}

 private:
  std::uint64_t id_;
  bool held_ = false;
};

void heap_at(const void* p, std::size_t bytes);
void statics_at(const void* p, std::size_t bytes);
void born(Object* o);
inline void clear_history(const void* p, std::size_t bytes) {
  detail::range(detail::EventKind::Free, p, bytes, nullptr);
}
inline void copy_history(const void* from, const void* to, std::size_t bytes) {
  detail::range(detail::EventKind::Move, from, bytes, to);
}

}  // namespace managed::world
