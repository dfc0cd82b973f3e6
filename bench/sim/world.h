// A small multithreaded world that writes down what happens in it: kernels run as coroutines, one
// after the other in bursts, and every access, synchronisation and allocation becomes an event. The
// same for the same seed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "event/event.h"

#include "analyze/random.h"

namespace steward::bench {

class World;

// The body of a thread.
class Task {
 public:
  struct promise_type {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  explicit Task(std::coroutine_handle<promise_type> h) : handle_(h) {}
  Task(Task&& o) noexcept : handle_(std::exchange(o.handle_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }
  bool done() const { return handle_.done(); }
  void resume() { handle_.resume(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// A thread, as its kernel sees it.
class Actor {
 public:
  Actor(World& world, unsigned id);

  unsigned id() const { return id_; }
  analyze::Random& random() { return random_; }

  void read(Address a, unsigned size) { access(EventKind::Read, a, size); }
  void write(Address a, unsigned size) { access(EventKind::Write, a, size); }
  // Instructions that touch nothing but registers, and locals on the stack.
  void work(unsigned instructions, unsigned locals = 0);
  Address allocate(std::uint64_t bytes);
  void free(Address a, std::uint64_t bytes);
  void system_call();

  // To be awaited: other threads may run meanwhile.
  auto lock(unsigned m) {
    return Wait{this, [this, m] { return try_lock(m); }};
  }
  void unlock(unsigned m);
  auto read_lock(unsigned m) {
    return Wait{this, [this, m] { return try_read_lock(m); }};
  }
  void read_unlock(unsigned m);
  auto barrier(unsigned b, unsigned parties) {
    const std::uint64_t round = arrive(b, parties);
    return Wait{this, [this, b, round] { return left(b, round); }};
  }
  // Until something is so; for conditions under a lock that was given back. The condition holds
  // pointers and numbers only: gcc 12 destroys what is awaited twice.
  auto until(std::function<bool()> so) { return Wait{this, std::move(so)}; }
  // A place where the scheduler may look for others.
  auto pause() {
    return Wait{this, [] { return true; }};
  }

 private:
  friend class World;
  struct Wait {
    Actor* who;
    std::function<bool()> ready;
    bool await_ready() { return who->keeps_going() && ready(); }
    void await_suspend(std::coroutine_handle<>) { who->ready_ = std::move(ready); }
    void await_resume() {}
  };

  void access(EventKind kind, Address a, unsigned size);
  void sync(EventKind kind, std::uint64_t object, SyncMode mode);
  void flush_instructions();
  bool keeps_going() const { return burst_ != 0; }
  bool try_lock(unsigned m);
  bool try_read_lock(unsigned m);
  std::uint64_t arrive(unsigned b, unsigned parties);
  bool left(unsigned b, std::uint64_t round);

  World* world_;
  unsigned id_;
  analyze::Random random_;
  Address stack_;
  std::uint64_t instructions_ = 0;
  std::uint64_t burst_ = 0;
  std::function<bool()> ready_;
};

class World {
 public:
  using Body = std::function<Task(Actor&)>;
  using Out = std::function<void(const Event&)>;

  explicit World(Out out) : out_(std::move(out)) {}

  // Memory that is there from the start.
  Address place(std::uint64_t bytes, std::uint64_t align = 64);
  // Thread 0 runs `first`, forks a thread for each body, waits for them, and runs `last`.
  void run(const Body& first, const std::vector<Body>& bodies, const Body& last);

 private:
  friend class Actor;
  struct Lock {
    bool held = false;
    unsigned readers = 0;
  };
  struct Barrier {
    unsigned arrived = 0;
    std::uint64_t round = 0;
  };

  void emit(const Event& e) { out_(e); }
  void run_alone(Actor& a, const Body& body);

  Out out_;
  Address next_ = 0x10'0000'0000;
  std::map<std::uint64_t, std::vector<Address>> freed_;  // by size
  std::map<unsigned, Lock> locks_;
  std::map<unsigned, Barrier> barriers_;
};

}  // namespace steward::bench
