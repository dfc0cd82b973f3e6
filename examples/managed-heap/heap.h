// A heap whose memory nobody frees: objects that no root reaches are reclaimed by a collector,
// which may move the others. Threads of the program (mutators) stop at safepoints while it works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "object.h"
#include "world.h"

namespace managed {

class Heap;

// A thread of the program, as the heap knows it: the references it holds, where a collector finds
// and changes them.
class Mutator {
 public:
  explicit Mutator(Heap& heap);
  ~Mutator();
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;

  Heap& heap() { return *heap_; }
  Object** push(Object* o);
  void pop() { --top_; }
  // A safepoint.
  void poll();
  // Runs `wait` at a safepoint: it must not touch the heap.
  template <class F>
  void safely(F wait);

  template <class F>
  void for_each_root(F f) {
    for (std::size_t i = 0; i < top_; ++i) f(&handles_[i]);
  }

 private:
  friend class Heap;
  static constexpr std::size_t kHandles = 4096;

  Heap* heap_;
  std::unique_ptr<Object*[]> handles_ = std::make_unique<Object*[]>(kHandles);
  std::size_t top_ = 0;
  bool safe_ = false;  // guarded by the heap's mutex: may be stopped where it is
};

// How memory is handed out and found again. Called with the heap's mutex held; collect() while all
// other mutators stand still.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual void* allocate(std::size_t bytes) = 0;  // null: collect first
  virtual void collect(Heap& heap) = 0;
};
std::unique_ptr<Collector> make_mark_sweep(char* memory, std::size_t bytes);
std::unique_ptr<Collector> make_semispace(char* memory, std::size_t bytes);

enum class CollectorKind { MarkSweep, Semispace };

struct HeapStatistics {
  std::uint64_t collections = 0;
  std::uint64_t objects = 0;
  std::uint64_t reclaimed = 0;  // bytes
  std::uint64_t moved = 0;      // objects
};

class Heap {
 public:
  Heap(CollectorKind kind, std::size_t bytes);
  ~Heap();

  // Zeroed. May collect: references that are in no handle are stale afterwards.
  Object* allocate(Mutator& m, const Type& type, std::uint32_t slots);

  // Static variables that hold references.
  static constexpr std::size_t kStatics = 64;
  Object** static_slot(std::size_t i) { return &statics_[i]; }

  // For collectors: every place outside the heap that holds a reference.
  template <class F>
  void for_each_root(F f) {
    for (Object*& o : statics_) f(&o);
    for (Mutator* m : mutators_) m->for_each_root(f);
  }
  HeapStatistics& statistics() { return statistics_; }

 private:
  friend class Mutator;
  void add(Mutator& m);
  void remove(Mutator& m);
  void stop_here(Mutator& m);
  void go_safe(Mutator& m);
  void come_back(Mutator& m);
  void collect(Mutator& m);

  std::size_t bytes_;
  char* memory_;
  std::unique_ptr<Collector> collector_;
  Object* statics_[kStatics] = {};
  HeapStatistics statistics_;
  world::Mutex mutex_;  // guards all that follows, and the collector
  std::vector<Mutator*> mutators_;
  std::uint32_t last_id_ = 0;
  bool collecting_ = false;
};

template <class F>
void Mutator::safely(F wait) {
  heap_->go_safe(*this);
  wait();
  heap_->come_back(*this);
}

}  // namespace managed
