// Copies what is reachable into the other half of the memory (Cheney). Every object that lives
// moves.
#include "heap.h"

namespace managed {
namespace {

class Semispace final : public Collector {
 public:
  Semispace(char* memory, std::size_t bytes)
      : half_(bytes / 2 & ~std::size_t{63}), from_(memory), to_(memory + half_), next_(memory) {}

  void* allocate(std::size_t bytes) override {
    char* p = world::system_read(&next_);
    if (p + bytes > from_ + half_) return nullptr;
    world::system_write(&next_, p + bytes);
    return p;
  }

  void collect(Heap& heap) override {
    statistics_ = &heap.statistics();
    char* const old_end = next_;
    char* scan = to_;
    next_ = to_;
    heap.for_each_root([&](Object** root) { forward(root); });
    while (scan < next_) {
      auto* o = reinterpret_cast<Object*>(scan);
      for (std::uint32_t i = 0; i < o->references(); ++i) forward(o->reference(i));
      scan += o->bytes();
    }
    // What has not moved is gone, and what has is elsewhere.
    world::clear_history(from_, static_cast<std::size_t>(old_end - from_));
    statistics_->reclaimed += static_cast<std::size_t>((old_end - from_) - (next_ - to_));
    std::swap(from_, to_);
  }

 private:
  void forward(Object** place) {
    Object* o = world::system_read(place);
    if (o == nullptr) return;
    Object* moved = world::system_read(&o->link);
    if (moved == nullptr) {
      moved = reinterpret_cast<Object*>(next_);
      next_ += o->bytes();
      world::system_copy(moved, o, o->bytes());
      world::copy_history(o, moved, o->bytes());
      world::system_write(&o->link, moved);
      ++statistics_->moved;
    }
    world::system_write(place, moved);
  }

  std::size_t half_;
  char* from_;
  char* to_;
  char* next_;
  HeapStatistics* statistics_ = nullptr;
};

}  // namespace

std::unique_ptr<Collector> make_semispace(char* memory, std::size_t bytes) {
  return std::make_unique<Semispace>(memory, bytes);
}

}  // namespace managed
