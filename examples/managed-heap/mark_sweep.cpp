// Marks what is reachable, sweeps the rest into free lists by size. Objects do not move; their
// memory is given to others.
#include <algorithm>
#include <vector>

#include "heap.h"

namespace managed {
namespace {

class MarkSweep final : public Collector {
 public:
  MarkSweep(char* memory, std::size_t bytes) : next_(memory), end_(memory + bytes) {}

  void* allocate(std::size_t bytes) override {
    const std::size_t c = size_class(bytes);
    Object*& head = free_[c];
    if (Object* o = world::system_read(&head)) {
      world::system_write(&head, world::system_read(&o->link));
      return o;
    }
    const std::size_t size = class_bytes(c);
    char* p = world::system_read(&next_);
    if (p + size > end_) return nullptr;
    world::system_write(&next_, p + size);
    pieces_.push_back({reinterpret_cast<Object*>(p), c});
    return p;
  }

  void collect(Heap& heap) override {
    ++round_;
    heap.for_each_root([&](Object** root) { mark(world::system_read(root)); });
    while (!todo_.empty()) {
      Object* o = todo_.back();
      todo_.pop_back();
      for (std::uint32_t i = 0; i < o->references(); ++i) mark(world::system_read(o->reference(i)));
    }
    sweep(heap.statistics());
  }

 private:
  struct Piece {
    Object* at;
    std::size_t size_class;
  };
  static constexpr std::size_t kClasses = 40;
  static constexpr std::size_t kStep = 64;

  static std::size_t size_class(std::size_t bytes) {
    return std::min((bytes + kStep - 1) / kStep, kClasses) - 1;
  }
  // The last class is for the largest there may be.
  static std::size_t class_bytes(std::size_t c) {
    return c + 1 == kClasses ? std::size_t{64} * 1024 : (c + 1) * kStep;
  }

  void mark(Object* o) {
    if (o == nullptr || world::system_read(&o->mark) == round_) return;
    world::system_write(&o->mark, round_);
    todo_.push_back(o);
  }

  void sweep(HeapStatistics& statistics) {
    for (std::size_t c = 0; c < kClasses; ++c)
      world::system_write(&free_[c], static_cast<Object*>(nullptr));
    for (Piece& p : pieces_) {
      if (p.at->mark == round_) continue;
      if (p.at->type != nullptr) {
        world::clear_history(p.at, p.at->bytes());
        statistics.reclaimed += p.at->bytes();
        world::system_write(&p.at->type, static_cast<const Type*>(nullptr));
      }
      world::system_write(&p.at->link, world::system_read(&free_[p.size_class]));
      world::system_write(&free_[p.size_class], p.at);
    }
  }

  Object* free_[kClasses] = {};
  char* next_;
  char* end_;
  std::uint64_t round_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Object*> todo_;
};

}  // namespace

std::unique_ptr<Collector> make_mark_sweep(char* memory, std::size_t bytes) {
  return std::make_unique<MarkSweep>(memory, bytes);
}

}  // namespace managed
