// The objects of a heap, by address: who owns each, whether it has escaped, its sub-blocks and the
// references in it.
#pragma once

#include <array>

#include "core/lockset/object_index.h"
#include "core/lockset/state.h"

namespace steward::lockset {

enum class ObjectId : std::uint64_t {};

// Who owns a sub-block; the state of Figure 2 it stands for.
class Block {
 public:
  State state() const {
    if (owner_ == kFree) return State::BlockFree;
    return owner_ == kFields ? State::Escaped : State::BlockOwned;
  }
  ThreadId owner() const { return ThreadId{owner_}; }
  void own(ThreadId t) { owner_ = raw(t); }
  // From here on each element has a state of its own.
  void divide() { owner_ = kFields; }

 private:
  static constexpr std::uint32_t kFree = 0xffff'ffff;
  static constexpr std::uint32_t kFields = 0xffff'fffe;
  std::uint32_t owner_ = kFree;
};

struct Object {
  using References = FlatMap<std::uint64_t, std::uint64_t>;  // offset -> ObjectId

  Address begin = 0;
  std::uint64_t size = 0;  // 0: dead, kept for its next use
  ObjectId id{};
  ThreadId owner{};
  State state = State::Owned;
  Block* blocks = nullptr;  // of an escaped array, when arrays have sub-blocks
  std::uint32_t block_count = 0;
  References* references = nullptr;  // for the write barrier
  Object* next_dead = nullptr;

  Address end() const { return begin + size; }
  bool holds(Address a) const { return a - begin < size; }
};

class Objects {
 public:
  explicit Objects(Pool& pool) : pool_(&pool), index_(pool), by_id_(pool) {}
  ~Objects() {
    index_.for_each([&](Object* o) {
      release(*o);
      pool_->destroy(o);
    });
    while (dead_ != nullptr) pool_->destroy(std::exchange(dead_, dead_->next_dead));
  }

  // The object that holds this byte, or null.
  Object* at(Address a) {
    Object*& near = near_[(a >> 4) % kNear];
    if (near != nullptr && near->holds(a)) return near;
    Object* o = index_.at(a);
    if (o != nullptr) near = o;
    return o;
  }
  Object* find(ObjectId id) {
    Object** o = by_id_.find(static_cast<std::uint64_t>(id));
    return o == nullptr ? nullptr : *o;
  }
  // Where the first object after `a`, which is in none, begins; `end` if that is later.
  Address gap_end(Address a, Address end) { return index_.gap_end(a, end); }

  // In place of whatever was there.
  void insert(Address begin, std::uint64_t size, ThreadId owner) {
    erase(begin, size);
    if (size == 0) return;
    Object* o = dead_;
    if (o != nullptr) {
      dead_ = o->next_dead;
      *o = Object{};
    } else {
      o = pool_->make<Object>();
    }
    o->begin = begin;
    o->size = size;
    o->id = ObjectId{++last_id_};
    o->owner = owner;
    index_.add(o);
  }
  // From now on find() knows it.
  void name(Object& o) { by_id_.get(static_cast<std::uint64_t>(o.id)) = &o; }

  // The objects that begin in the range or reach into it.
  void erase(Address begin, std::uint64_t size) {
    if (size == 0) return;
    if (Object* o = at(begin)) {
      const bool alone = o->end() >= begin + size;
      drop(o);
      if (alone) return;
    }
    if (index_.gap_end(begin, begin + size) == begin + size) return;  // nearly always
    for (Object* o : index_.beginning_in(begin, size)) drop(o);
  }

  // The objects that lie whole in the range keep their identity at another address.
  void move(Address from, Address to, std::uint64_t size) {
    auto moved = index_.beginning_in(from, size);
    std::erase_if(moved, [&](const Object* o) { return o->end() - from > size; });
    if (moved.empty()) return;
    for (const Object* o : moved) index_.remove(o);
    erase(to, size);
    for (Object* o : moved) {
      o->begin += to - from;
      index_.add(o);
    }
  }

  std::uint64_t made() const { return last_id_; }

 private:
  static constexpr std::size_t kNear = 1024;

  void drop(Object* o) {
    index_.remove(o);
    release(*o);
    by_id_.erase(static_cast<std::uint64_t>(o->id));
    // Not given back: near_ may point to it, and its size of 0 tells that it holds nothing.
    *o = Object{};
    o->next_dead = dead_;
    dead_ = o;
  }
  void release(Object& o) {
    if (o.blocks != nullptr) pool_->deallocate(o.blocks, o.block_count * sizeof(Block));
    if (o.references != nullptr) pool_->destroy(o.references);
  }

  Pool* pool_;
  ObjectIndex<Object> index_;
  FlatMap<std::uint64_t, Object*> by_id_;  // those that others refer to
  Object* dead_ = nullptr;                 // a list through next_dead
  std::uint64_t last_id_ = 0;
  // A direct-mapped cache: an object is asked for at every access.
  std::array<Object*, kNear> near_{};
};

}  // namespace steward::lockset
