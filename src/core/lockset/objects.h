// The objects of a heap, by address: who owns each, whether it has escaped, its sub-blocks and the
// references in it.
#pragma once

#include <array>
#include <map>

#include "core/lockset/state.h"
#include "core/memory/flat_map.h"
#include "core/memory/pool_allocator.h"
#include "event/ids.h"

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
  explicit Objects(Pool& pool) : pool_(&pool), map_(Allocator(pool)), by_id_(pool) {}
  ~Objects() {
    for (auto& [begin, o] : map_) {
      release(*o);
      pool_->destroy(o);
    }
    while (dead_ != nullptr) pool_->destroy(std::exchange(dead_, dead_->next_dead));
  }

  // The object that holds this byte, or null.
  Object* at(Address a) {
    Object*& near = near_[(a >> 4) % kNear];
    if (near != nullptr && near->holds(a)) return near;
    const auto it = find_at(a);
    if (it == map_.end()) return nullptr;
    near = it->second;
    return near;
  }
  Object* find(ObjectId id) {
    Object** o = by_id_.find(static_cast<std::uint64_t>(id));
    return o == nullptr ? nullptr : *o;
  }
  // Where the first object after `a`, which is in none, begins; `end` if that is later.
  Address gap_end(Address a, Address end) const {
    const auto it = map_.upper_bound(a);
    return it == map_.end() ? end : std::min(end, it->first);
  }

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
    map_.emplace(begin, o);
    by_id_.get(last_id_) = o;
  }

  // The objects that begin in the range or reach into it.
  void erase(Address begin, std::uint64_t size) {
    if (const auto it = find_at(begin); it != map_.end() && size != 0) drop(it);
    for (auto it = map_.lower_bound(begin); it != map_.end() && it->first - begin < size;) {
      it = drop(it);
    }
  }

  // The objects that lie whole in the range keep their identity at another address.
  void move(Address from, Address to, std::uint64_t size) {
    std::vector<Object*, PoolAllocator<Object*>> moved{PoolAllocator<Object*>(*pool_)};
    for (auto it = map_.lower_bound(from); it != map_.end() && it->first - from < size;) {
      Object* o = it->second;
      if (o->end() - from > size) break;
      moved.push_back(o);
      it = map_.erase(it);
    }
    if (moved.empty()) return;
    erase(to, size);
    for (Object* o : moved) {
      o->begin += to - from;
      map_.emplace(o->begin, o);
    }
  }

  std::uint64_t made() const { return last_id_; }

 private:
  using Allocator = PoolAllocator<std::pair<const Address, Object*>>;
  using Map = std::map<Address, Object*, std::less<>, Allocator>;
  static constexpr std::size_t kNear = 1024;

  Map::iterator drop(Map::iterator it) {
    Object* o = it->second;
    release(*o);
    by_id_.erase(static_cast<std::uint64_t>(o->id));
    // Not given back: near_ may point to it, and its size of 0 tells that it holds nothing.
    *o = Object{};
    o->next_dead = dead_;
    dead_ = o;
    return map_.erase(it);
  }
  Map::iterator find_at(Address a) {
    auto it = map_.upper_bound(a);
    return it != map_.begin() && (--it)->second->holds(a) ? it : map_.end();
  }
  void release(Object& o) {
    if (o.blocks != nullptr) pool_->deallocate(o.blocks, o.block_count * sizeof(Block));
    if (o.references != nullptr) pool_->destroy(o.references);
  }

  Pool* pool_;
  Map map_;
  FlatMap<std::uint64_t, Object*> by_id_;
  Object* dead_ = nullptr;  // a list through `references`
  std::uint64_t last_id_ = 0;
  // A direct-mapped cache: an object is asked for at every access.
  std::array<Object*, kNear> near_{};
};

}  // namespace steward::lockset
