// Marks what is reachable, sweeps the rest into holes, and hands out memory hole by hole. Objects
// do not move; their memory is given to others.
#include <algorithm>
#include <vector>

#include "heap.h"

namespace managed {
namespace {

class MarkSweep final : public Collector {
 public:
  MarkSweep(char* memory, std::size_t bytes)
      : memory_(memory), end_(memory + bytes), next_(memory), holes_{{memory, memory + bytes}} {}

  void* allocate(std::size_t bytes) override {
    char* p = world::system_read(&next_);
    while (p + bytes > holes_[hole_].end) {
      if (hole_ + 1 == holes_.size()) return nullptr;
      p = holes_[++hole_].begin;
    }
    world::system_write(&next_, p + bytes);
    objects_.push_back(reinterpret_cast<Object*>(p));
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
  struct Hole {
    char* begin;
    char* end;
  };

  void mark(Object* o) {
    if (o == nullptr || world::system_read(&o->mark) == round_) return;
    world::system_write(&o->mark, round_);
    todo_.push_back(o);
  }

  void sweep(HeapStatistics& statistics) {
    std::sort(objects_.begin(), objects_.end());
    std::vector<Object*> alive;
    holes_.clear();
    char* free = memory_;  // from here to the next object that lives
    for (Object* o : objects_) {
      if (world::system_read(&o->mark) != round_) {
        world::clear_history(o, o->bytes());
        statistics.reclaimed += o->bytes();
        continue;
      }
      auto* begin = reinterpret_cast<char*>(o);
      if (begin != free) holes_.push_back({free, begin});
      free = begin + o->bytes();
      alive.push_back(o);
    }
    holes_.push_back({free, end_});
    objects_.swap(alive);
    hole_ = 0;
    world::system_write(&next_, holes_[0].begin);
  }

  char* memory_;
  char* end_;
  char* next_;
  std::vector<Hole> holes_;
  std::size_t hole_ = 0;          // next_ is in it
  std::vector<Object*> objects_;  // all since the last collection, and what lived then
  std::vector<Object*> todo_;
  std::uint64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Collector> make_mark_sweep(char* memory, std::size_t bytes) {
  return std::make_unique<MarkSweep>(memory, bytes);
}

}  // namespace managed
