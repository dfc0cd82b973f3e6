// Lockset detection on escaped objects: is there a lock that every thread holds whenever it touches
// a field that others touch too? A check of a discipline, not of an execution: what is ordered by
// other means than locks is reported as well (docs/detectors/lockset.md).
//
// Deviations from the paper, which knows Java's objects and monitors:
//   - a lock held for reading protects reads only, and atomic accesses protect each other;
//   - an access by another thread than the owner makes an object escape even when no barrier saw
//     how the reference got there (thread arguments, registers);
//   - memory outside all objects is owned by the first thread that touches it, unless the caller
//     knows better;
//   - any object larger than a sub-block is taken for an array: a heap block has no type.
#pragma once

#include <array>
#include <functional>

#include "core/detector/detector.h"
#include "core/lockset/field.h"
#include "core/lockset/monitors.h"
#include "core/lockset/objects.h"
#include "core/memory/byte_map.h"

namespace steward {

class Lockset {
 public:
  // When an object escapes.
  enum class Barrier : std::uint8_t {
    Read,   // when a thread that does not own it reads a reference to it
    Write,  // when a reference to it is stored where other threads can reach it (TRaDe)
  };
  struct Settings {
    Barrier barrier = Barrier::Read;
    std::uint32_t block = 0;  // bytes of a sub-block of an array; 0: arrays have none
    std::span<const ThreadId>
        excluded;  // special threads (finalizers), whose accesses do not count
    // Told of memory that its owner had to itself until now: a caller that leaves accesses out,
    // since they would change nothing, must not leave out the owner's next one.
    void (*opened)(ThreadId owner, Address begin, std::uint64_t size) = nullptr;
  };

  // The two ends of a broken discipline, in the shape Analysis asks for.
  struct Conflict {
    AccessKind kind{};
    struct {
      SiteId site;
    } stamp;
    lockset::SetId first_held{};   // by the earlier access
    lockset::SetId second_held{};  // by the later
    lockset::SetId before{};       // the field's lockset before it became empty
  };

  Lockset(Pool& pool, const Settings& settings)
      : pool_(&pool),
        barrier_(settings.barrier),
        block_(settings.block),
        opened_(settings.opened),
        sets_(pool),
        threads_(pool),
        excluded_(pool),
        objects_(pool),
        fields_(pool) {
    for (const ThreadId t : settings.excluded) excluded_.get(raw(t)) = true;
  }
  ~Lockset() {
    threads_.for_each([&](std::uint32_t, lockset::Monitors* m) { pool_->destroy(m); });
  }

  // Who accesses. `held(kind)` are the locks that protect the access, asked for only where they
  // matter; `first(address)` is who has memory outside all objects that nobody has touched, or
  // kAllThreads if it has escaped from the start.
  template <class Held, class First>
  struct By {
    ThreadId thread;
    Held held;
    First first;
  };

  template <class Found>
  void access(AccessKind kind, ThreadId t, Address a, std::uint64_t size, SiteId site,
              const Found& found) {
    if (is_excluded(t)) return;
    const auto held = [this, t](AccessKind k) { return monitors(t).protecting(k, sets_); };
    access(kind, By{t, held, [t](Address) { return t; }}, a, size, site, found);
  }

  template <class Held, class First, class Found>
  void access(AccessKind kind, const By<Held, First>& by, Address a, std::uint64_t size,
              SiteId site, const Found& found) {
    const std::uint64_t checked = field_steps_;
    const Address end = a + size;
    while (a != end) {
      lockset::Object* o = objects_.at(a);
      const Address to = o != nullptr ? std::min(end, o->end()) : objects_.gap_end(a, end);
      if (o == nullptr) {
        touch_loose(kind, by, a, to - a, site, found);
      } else if (o->state == lockset::State::Owned && o->owner == by.thread) {
        count(lockset::Edge::OwnedByOwner);
      } else {
        if (o->state == lockset::State::Owned) {
          escape(*o, lockset::Edge::OwnedToEscapedByAccess);
        }
        touch(*o, kind, by, a, to - a, site, found);
      }
      a = to;
    }
    if (field_steps_ != checked) ++checked_accesses_;
  }

  void synchronise(const Event& e, ThreadId t) {
    if (e.mode == SyncMode::Volatile) return;  // orders, but excludes nobody
    if (e.kind == EventKind::Acquire) {
      monitors(t).acquire(e.sync(), e.mode);
    } else if (e.kind == EventKind::Release || e.kind == EventKind::ReleaseMerge) {
      monitors(t).release(e.sync());
    }
  }
  void end(ThreadId t) {
    lockset::Monitors** m = threads_.find(raw(t));
    if (m == nullptr) return;
    conversions_ += (*m)->conversions();
    pool_->destroy(*m);
    threads_.erase(raw(t));
    if (last_id_ == t) last_id_ = kAllThreads;
  }

  void alloc(ThreadId t, Address a, std::uint64_t size) {
    fields_.clear(a, size);
    make(t, a, size);
  }
  // The same in memory that has no past already.
  void make(ThreadId t, Address a, std::uint64_t size) { objects_.insert(a, size, t); }
  void clear(Address a, std::uint64_t size) {
    const Object* o = objects_.at(a);
    const bool owned = o != nullptr && o->begin == a && o->size == size && o->state == State::Owned;
    if (!owned) fields_.clear(a, size);  // nobody has looked at the fields of an owned object
    objects_.erase(a, size);
  }
  void copy(Address from, Address to, std::uint64_t size) {
    fields_.copy(from, to, size);
    objects_.move(from, to, size);
  }

  // The read barrier.
  void load_reference(ThreadId t, Address, Address reference) {
    if (barrier_ != Barrier::Read || is_excluded(t)) return;
    lockset::Object* o = objects_.at(reference);
    if (o == nullptr || o->state != lockset::State::Owned || o->owner == t) return;
    escape(*o, lockset::Edge::OwnedToEscapedByLoad);
  }
  // The write barrier.
  void store_reference(ThreadId, Address slot, Address reference) {
    if (barrier_ != Barrier::Write) return;
    lockset::Object* holder = objects_.at(slot);
    lockset::Object* o = objects_.at(reference);
    if (holder != nullptr) refer(*holder, slot - holder->begin, o);
    if (o == nullptr || o->state != lockset::State::Owned) return;
    if (!is_published(holder)) return;
    escape_reachable(*o, [&](const Object& from, const auto& each) {
      if (from.references == nullptr) return;
      from.references->for_each(
          [&](std::uint64_t, std::uint64_t id) { each(objects_.find(lockset::ObjectId{id})); });
    });
  }
  // The same where the references in an object are found by looking at it: scan(object, each) calls
  // each(address) for all that may be one.
  template <class Scan>
  void store_reference(Address slot, Address reference, const Scan& scan) {
    if (barrier_ == Barrier::Write && is_published(objects_.at(slot))) publish(reference, scan);
  }
  // Another thread is given a reference, and all that it leads to.
  template <class Scan>
  void publish(Address reference, const Scan& scan) {
    Object* o = objects_.at(reference);
    if (o == nullptr || o->state != State::Owned) return;
    escape_reachable(*o, [&](const Object& from, const auto& each) {
      scan(from, [&](Address word) { each(objects_.at(word)); });
    });
  }

  const lockset::Object* object_at(Address a) { return objects_.at(a); }
  lockset::LockSets& sets() { return sets_; }
  std::uint64_t objects() const { return objects_.made(); }
  std::uint64_t escaped_objects() const { return escaped_objects_; }

  SampledWork sampled() const { return {.sampled_accesses = checked_accesses_}; }
  std::span<const std::uint64_t> locks_of(std::uint32_t set) const {
    return sets_.members(lockset::SetId{set});
  }

  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    for (unsigned e = 0; e < lockset::kEdges; ++e) {
      f({lockset::name(static_cast<lockset::Edge>(e)), counts_[e]});
    }
    std::uint64_t conversions = conversions_;
    threads_.for_each(
        [&](std::uint32_t, const lockset::Monitors* m) { conversions += m->conversions(); });
    f({"objects", objects_.made()});
    f({"monitor stacks turned into sets", conversions});
    f({"locksets", sets_.size()});
    f({"intersections computed", sets_.computed()});
    f({"intersections found in the cache", sets_.cached()});
  }

 private:
  using Edge = lockset::Edge;
  using State = lockset::State;
  using Object = lockset::Object;
  using Field = lockset::Field;

  template <class Who, class Found>
  void touch(Object& o, AccessKind kind, const Who& by, Address a, std::uint64_t size, SiteId site,
             const Found& found) {
    const ThreadId t = by.thread;
    if (o.blocks == nullptr) return touch_fields(kind, by, a, size, site, found);
    for (const Address end = a + size; a != end;) {
      const std::uint64_t index = (a - o.begin) / block_;
      const Address to = std::min(end, o.begin + (index + 1) * block_);
      lockset::Block& block = o.blocks[index];
      const State before = block.state();
      if (before == State::BlockFree) {
        block.own(t);
        count(Edge::BlockFreeToBlockOwned);
      } else if (before == State::BlockOwned && block.owner() == t) {
        count(Edge::BlockOwnedByOwner);
      } else {
        if (before == State::BlockOwned) {
          const Address begin = o.begin + index * block_;
          tell_opened(block.owner(), begin, std::min<std::uint64_t>(block_, o.end() - begin));
          block.divide();
          count(is_write(kind) ? Edge::BlockOwnedToSharedModified : Edge::BlockOwnedToSharedRead);
        }
        touch_fields(kind, by, a, to - a, site, found);
      }
      a = to;
    }
  }

  template <class Who, class Found>
  void touch_fields(AccessKind kind, const Who& by, Address a, std::uint64_t size, SiteId site,
                    const Found& found) {
    const lockset::SetId held = by.held(kind);
    fields_.visit(a, size, [&](Field& f, Address at, unsigned bytes) {
      step(f, {by.thread, site, held, kind}, at, bytes, found);
    });
  }

  template <class Who, class Found>
  void touch_loose(AccessKind kind, const Who& by, Address a, std::uint64_t size, SiteId site,
                   const Found& found) {
    fields_.visit(a, size, [&](Field& f, Address at, unsigned bytes) {
      if (f.empty()) {
        const ThreadId first = by.first(at);
        if (first != kAllThreads) f = Field::owned_by(first);
      }
      if (f.is_owned_by(by.thread)) return count(Edge::OwnedByOwner);
      if (f.state() == State::Owned) {
        tell_opened(f.owner(), at, bytes);
        f.escape();
        count(Edge::OwnedToEscapedByAccess);
      }
      step(f, {by.thread, site, by.held(kind), kind}, at, bytes, found);
    });
  }

  template <class Found>
  void step(Field& f, const lockset::Seen& now, Address at, unsigned bytes, const Found& found) {
    ++field_steps_;
    const lockset::SetId before = f.lockset();
    const Edge edge = f.advance(now, sets_);
    count(edge);
    if (edge != Edge::SharedReadToConflict && edge != Edge::SharedModifiedToConflict) return;
    const lockset::Seen& other = f.opponent(now.thread);
    found(Conflict{other.kind, {other.site}, other.held, now.held, before}, other.thread, at,
          bytes);
  }

  void escape(Object& o, Edge how) {
    o.state = State::Escaped;
    ++escaped_objects_;
    count(how);
    tell_opened(o.owner, o.begin, o.size);
    if (block_ == 0 || o.size <= block_) return;
    o.block_count = static_cast<std::uint32_t>((o.size + block_ - 1) / block_);
    o.blocks =
        static_cast<lockset::Block*>(pool_->allocate(o.block_count * sizeof(lockset::Block)));
    std::uninitialized_default_construct_n(o.blocks, o.block_count);
    count(Edge::EscapedToBlockFree);
  }

  void refer(Object& holder, std::uint64_t offset, Object* o) {
    if (o == nullptr) {
      if (holder.references != nullptr) holder.references->erase(offset);
      return;
    }
    if (holder.references == nullptr) {
      holder.references = pool_->make<Object::References>(*pool_);
    }
    objects_.name(*o);
    holder.references->get(offset) = static_cast<std::uint64_t>(o->id);
  }

  static bool is_published(const Object* holder) {
    return holder == nullptr || holder->state != State::Owned;
  }

  // Recursively, on a list of our own: a chain of objects may be as long as the heap.
  // references(object, each) calls each(object or null).
  template <class References>
  void escape_reachable(Object& from, const References& references) {
    std::vector<Object*, PoolAllocator<Object*>> todo{PoolAllocator<Object*>(*pool_)};
    const auto take = [&](Object* o) {
      if (o == nullptr || o->state != State::Owned) return;
      escape(*o, Edge::OwnedToEscapedByStore);
      todo.push_back(o);
    };
    take(&from);
    while (!todo.empty()) {
      const Object& o = *todo.back();
      todo.pop_back();
      references(o, take);
    }
  }

  void tell_opened(ThreadId owner, Address begin, std::uint64_t size) {
    if (opened_ != nullptr) opened_(owner, begin, size);
  }

  lockset::Monitors& monitors(ThreadId id) {
    if (id == last_id_) return *last_;
    lockset::Monitors*& m = threads_.get(raw(id), nullptr);
    if (m == nullptr) m = pool_->make<lockset::Monitors>(*pool_);
    last_id_ = id;
    last_ = m;
    return *m;
  }
  bool is_excluded(ThreadId t) const {
    return !excluded_.empty() && excluded_.find(raw(t)) != nullptr;
  }
  void count(Edge e) { ++counts_[static_cast<unsigned>(e)]; }

  Pool* pool_;
  Barrier barrier_;
  std::uint32_t block_;
  void (*opened_)(ThreadId, Address, std::uint64_t);
  lockset::LockSets sets_;
  FlatMap<std::uint32_t, lockset::Monitors*> threads_;
  ThreadId last_id_ = kAllThreads;  // one-entry cache, as in HappensBefore
  lockset::Monitors* last_ = nullptr;
  FlatMap<std::uint32_t, bool> excluded_;
  lockset::Objects objects_;
  // By lines: the fields of an object lie together, and most memory has none.
  template <class State>
  using Lines = PagedDirectory<State, 3>;
  ByteMap<Field, Lines> fields_;
  std::array<std::uint64_t, lockset::kEdges> counts_{};
  std::uint64_t field_steps_ = 0;
  std::uint64_t escaped_objects_ = 0;
  std::uint64_t checked_accesses_ = 0;  // that ran the lockset algorithm
  std::uint64_t conversions_ = 0;       // of threads that ended
};

}  // namespace steward
