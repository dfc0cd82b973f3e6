#include "world.h"

#include <stdexcept>

namespace steward::bench {

namespace {

constexpr Address kStacks = 0x7f00'0000'0000;
constexpr std::uint64_t kStackBytes = 1 << 20;
constexpr std::uint64_t kLocks = 0x20'0000'0000;
constexpr std::uint64_t kBarriers = 0x21'0000'0000;

Event event(EventKind kind, unsigned t) {
  Event e;
  e.kind = kind;
  e.thread = ThreadId{t};
  return e;
}

}  // namespace

Actor::Actor(World& world, unsigned id)
    : world_(&world), id_(id), random_(1000 + id), stack_(kStacks + id * 2 * kStackBytes) {
  Event e = event(EventKind::Stack, id);
  e.address = stack_;
  e.size = kStackBytes;
  world.emit(e);
}

void Actor::flush_instructions() {
  if (instructions_ == 0) return;
  Event e = event(EventKind::Instructions, id_);
  e.size = std::exchange(instructions_, 0);
  world_->emit(e);
}

void Actor::access(EventKind kind, Address a, unsigned size) {
  if (instructions_ >= 64) flush_instructions();
  Event e = event(kind, id_);
  e.address = a;
  e.size = size;
  world_->emit(e);
  if (burst_ != 0) --burst_;
}

void Actor::work(unsigned instructions, unsigned locals) {
  instructions_ += instructions;
  for (unsigned i = 0; i < locals; ++i) {
    access(i % 3 == 0 ? EventKind::Write : EventKind::Read, stack_ + 0x8000 + 8 * (i % 24), 8);
  }
}

void Actor::sync(EventKind kind, std::uint64_t object, SyncMode mode) {
  flush_instructions();
  Event e = event(kind, id_);
  e.address = object;
  e.mode = mode;
  world_->emit(e);
}

Address Actor::allocate(std::uint64_t bytes) {
  auto& list = world_->freed_[bytes];
  Address a = 0;
  if (list.empty()) {
    a = world_->place(bytes, 16);
  } else {
    a = list.back();
    list.pop_back();
  }
  Event e = event(EventKind::Alloc, id_);
  e.address = a;
  e.size = bytes;
  work(60);
  world_->emit(e);
  return a;
}

void Actor::free(Address a, std::uint64_t bytes) {
  Event e = event(EventKind::Free, id_);
  e.address = a;
  e.size = bytes;
  work(40);
  world_->emit(e);
  world_->freed_[bytes].push_back(a);
}

void Actor::system_call() {
  flush_instructions();
  world_->emit(event(EventKind::SystemCall, id_));
}

bool Actor::try_lock(unsigned m) {
  auto& l = world_->locks_[m];
  if (l.held || l.readers != 0) return false;
  l.held = true;
  sync(EventKind::Acquire, kLocks + 64 * m, SyncMode::Exclusive);
  return true;
}
void Actor::unlock(unsigned m) {
  world_->locks_[m].held = false;
  sync(EventKind::Release, kLocks + 64 * m, SyncMode::Exclusive);
}
bool Actor::try_read_lock(unsigned m) {
  auto& l = world_->locks_[m];
  if (l.held) return false;
  ++l.readers;
  sync(EventKind::Acquire, kLocks + 64 * m, SyncMode::Shared);
  return true;
}
void Actor::read_unlock(unsigned m) {
  --world_->locks_[m].readers;
  sync(EventKind::ReleaseMerge, kLocks + 64 * m, SyncMode::Shared);
}

std::uint64_t Actor::arrive(unsigned b, unsigned parties) {
  auto& barrier = world_->barriers_[b];
  const std::uint64_t round = barrier.round;
  sync(EventKind::ReleaseMerge, kBarriers + 4096 * b + 64 * (round % 2), SyncMode::Volatile);
  if (++barrier.arrived == parties) {
    barrier.arrived = 0;
    ++barrier.round;
  }
  return round;
}
bool Actor::left(unsigned b, std::uint64_t round) {
  if (world_->barriers_[b].round == round) return false;
  sync(EventKind::Acquire, kBarriers + 4096 * b + 64 * (round % 2), SyncMode::Volatile);
  return true;
}

Address World::place(std::uint64_t bytes, std::uint64_t align) {
  next_ = (next_ + align - 1) / align * align;
  const Address a = next_;
  next_ += bytes;
  return a;
}

void World::run_alone(Actor& a, const Body& body) {
  Task task = body(a);
  while (!task.done()) {
    if (a.ready_ && !a.ready_()) throw std::logic_error("a lone thread waits");
    a.ready_ = {};
    a.burst_ = ~std::uint64_t{0};
    task.resume();
  }
}

void World::run(const Body& first, const std::vector<Body>& bodies, const Body& last) {
  Actor main(*this, 0);
  run_alone(main, first);
  std::deque<Actor> actors;
  std::vector<std::unique_ptr<Task>> tasks;
  for (unsigned i = 0; i < bodies.size(); ++i) {
    main.flush_instructions();
    Event e = event(EventKind::Fork, 0);
    e.target = i + 1;
    emit(e);
    actors.emplace_back(*this, i + 1);
    tasks.push_back(std::make_unique<Task>(bodies[i](actors.back())));
  }
  analyze::Random turns(7);
  for (std::size_t left = tasks.size(); left != 0;) {
    bool moved = false;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i]->done()) continue;
      Actor& a = actors[i];
      if (a.ready_ && !a.ready_()) continue;
      a.ready_ = {};
      a.burst_ = 50 + turns.below(400);
      moved = true;
      tasks[i]->resume();
      if (!tasks[i]->done()) continue;
      a.flush_instructions();
      emit(event(EventKind::ThreadEnd, a.id()));
      --left;
    }
    if (!moved) throw std::logic_error("all threads wait");
  }
  for (unsigned i = 0; i < bodies.size(); ++i) {
    main.flush_instructions();
    Event e = event(EventKind::Join, 0);
    e.target = i + 1;
    emit(e);
  }
  run_alone(main, last);
  main.flush_instructions();
}

}  // namespace steward::bench
