// What a program on the managed heap is written with: handles, fields, static variables, locks and
// threads.
#pragma once

#include "heap.h"

namespace managed {

// A reference that a collector can find and change; lives on the stack, last in, first out.
class Handle {
 public:
  explicit Handle(Mutator& m, Object* o = nullptr) : mutator_(&m), slot_(m.push(o)) {}
  ~Handle() { mutator_->pop(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  Object* get() const { return *slot_; }
  void set(Object* o) { *slot_ = o; }
  explicit operator bool() const { return *slot_ != nullptr; }

 private:
  Mutator* mutator_;
  Object** slot_;
};

// Fields. The access itself is the program's; all around it is not.
MANAGED_INLINE long get(const Handle& h, std::uint32_t i, world::Place at = world::Place::here()) {
  Object* o = h.get();
  return world::read(o, reinterpret_cast<const long*>(o->slot(i)), at);
}
MANAGED_INLINE void put(const Handle& h, std::uint32_t i, long value,
                        world::Place at = world::Place::here()) {
  Object* o = h.get();
  world::write(o, reinterpret_cast<long*>(o->slot(i)), value, at);
}
MANAGED_INLINE void get_reference(Handle& to, const Handle& h, std::uint32_t i,
                                  world::Place at = world::Place::here()) {
  Object* o = h.get();
  Object* value = world::read(o, static_cast<Object* const*>(o->reference(i)), at);
  world::load_reference(o, o->reference(i), value);
  to.set(value);
}
MANAGED_INLINE void put_reference(const Handle& h, std::uint32_t i, const Handle& value,
                                  world::Place at = world::Place::here()) {
  Object* o = h.get();
  world::write(o, o->reference(i), value.get(), at);
  world::store_reference(o, o->reference(i), value.get());
}

// Static variables of the program that hold references.
MANAGED_INLINE void get_static(Mutator& m, Handle& to, std::size_t i,
                               world::Place at = world::Place::here()) {
  Object** p = m.heap().static_slot(i);
  Object* value = world::read(static_cast<Object*>(nullptr), static_cast<Object* const*>(p), at);
  world::load_reference(nullptr, p, value);
  to.set(value);
}
MANAGED_INLINE void put_static(Mutator& m, std::size_t i, const Handle& value,
                               world::Place at = world::Place::here()) {
  Object** p = m.heap().static_slot(i);
  world::write(static_cast<Object*>(nullptr), p, value.get(), at);
  world::store_reference(nullptr, p, value.get());
}

inline void make(Mutator& m, Handle& to, const Type& type, std::uint32_t slots) {
  to.set(m.heap().allocate(m, type, slots));
}

// Locks are held to the end of a scope. A thread that waits for one stands at a safepoint.
class Locked {
 public:
  Locked(Mutator& m, world::Lock& lock, world::Place at = world::Place::here())
      : lock_(&lock), at_(at) {
    lock.acquire([&](auto wait) { m.safely(wait); }, at);
  }
  ~Locked() { lock_->release(at_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  world::Lock* lock_;
  world::Place at_;
};

// Runs body(mutator, i) in `count` threads and waits for them.
template <class F>
void in_threads(Mutator& m, unsigned count, F body) {
  std::vector<std::unique_ptr<world::Thread>> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.push_back(std::make_unique<world::Thread>("mutator", [&heap = m.heap(), body, i] {
      Mutator mine(heap);
      body(mine, i);
    }));
  }
  for (auto& t : threads) {
    t->join([&](auto wait) { m.safely(wait); });
  }
}

}  // namespace managed
