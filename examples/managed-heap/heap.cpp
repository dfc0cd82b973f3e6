#include "heap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace managed {

Mutator::Mutator(Heap& heap) : heap_(&heap) {
  heap.add(*this);
}
Mutator::~Mutator() {
  heap_->remove(*this);
}

Object** Mutator::push(Object* o) {
  if (top_ == kHandles) std::abort();
  handles_[top_] = o;
  return &handles_[top_++];
}

void Mutator::poll() {
  heap_->stop_here(*this);
}

Heap::Heap(CollectorKind kind, std::size_t bytes)
    : bytes_(bytes),
      memory_(static_cast<char*>(
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
  if (memory_ == MAP_FAILED) std::abort();
  world::heap_at(memory_, bytes_);
  world::statics_at(statics_, sizeof statics_);
  collector_ = kind == CollectorKind::MarkSweep ? make_mark_sweep(memory_, bytes_)
                                                : make_semispace(memory_, bytes_);
}
Heap::~Heap() {
  munmap(memory_, bytes_);
}

Object* Heap::allocate(Mutator& m, const Type& type, std::uint32_t slots) {
  const world::Region region;
  mutex_.lock();
  if (collecting_) {  // a safepoint as good as any
    m.safe_ = true;
    mutex_.notify();
    mutex_.wait([this] { return !collecting_; });
    m.safe_ = false;
  }
  const std::size_t bytes = Object::bytes_for(slots);
  void* memory = collector_->allocate(bytes);
  if (memory == nullptr) {
    collect(m);
    memory = collector_->allocate(bytes);
  }
  if (memory == nullptr) {
    std::fprintf(stderr, "managed heap: out of memory\n");
    std::abort();
  }
  auto* o = static_cast<Object*>(memory);
  world::system_write(&o->type, &type);
  world::system_write(&o->id, ++last_id_);
  world::system_write(&o->slots, slots);
  world::system_write(&o->link, static_cast<Object*>(nullptr));
  world::system_write(&o->mark, std::uint64_t{0});
  for (std::uint32_t i = 0; i < slots; ++i) world::system_write(o->slot(i), std::uint64_t{0});
  world::born(o);
  ++statistics_.objects;
  mutex_.unlock();
  return o;
}

// With the mutex held, by the thread that found no memory.
void Heap::collect(Mutator& m) {
  world::set_system_flag(&collecting_, true);
  m.safe_ = true;
  mutex_.wait([this] {
    return std::all_of(mutators_.begin(), mutators_.end(), [](Mutator* x) { return x->safe_; });
  });
  collector_->collect(*this);
  ++statistics_.collections;
  m.safe_ = false;
  world::set_system_flag(&collecting_, false);
  mutex_.notify();
}

void Heap::add(Mutator& m) {
  const world::Region region;
  mutex_.lock();
  mutex_.wait([this] { return !collecting_; });
  mutators_.push_back(&m);
  mutex_.unlock();
}
void Heap::remove(Mutator& m) {
  const world::Region region;
  mutex_.lock();
  mutators_.erase(std::find(mutators_.begin(), mutators_.end(), &m));
  mutex_.notify();
  mutex_.unlock();
}

void Heap::stop_here(Mutator& m) {
  const world::Region region;
  if (!world::system_flag(&collecting_)) return;
  mutex_.lock();
  m.safe_ = true;
  mutex_.notify();
  mutex_.wait([this] { return !collecting_; });
  m.safe_ = false;
  mutex_.unlock();
}
void Heap::go_safe(Mutator& m) {
  const world::Region region;
  mutex_.lock();
  m.safe_ = true;
  mutex_.notify();
  mutex_.unlock();
}
void Heap::come_back(Mutator& m) {
  const world::Region region;
  mutex_.lock();
  mutex_.wait([this] { return !collecting_; });
  m.safe_ = false;
  mutex_.unlock();
}

}  // namespace managed
