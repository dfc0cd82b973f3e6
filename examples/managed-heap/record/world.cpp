#include "world.h"

#include <map>
#include <string>

namespace managed::world {
namespace {

using namespace steward;
using detail::EventKind;

constexpr Address kHeap = 0x10'0000'0000;  // where the trace says that the heap is
constexpr Address kStatics = 0x20'0000'0000;
constexpr Address kIdentities = Address{1} << 40;  // ... and, in the truth, an object: id * 64 KiB
constexpr std::uint32_t kGreen = 1000;  // the first green thread's number: carriers are below

struct Fiber {  // a thread of the program, on a kernel thread of its own that waits for its turn
  std::thread thread;
  std::condition_variable turn;
  bool ended = false;
};

class World {
 public:
  World(std::uint64_t seed, unsigned carriers) : state_(seed), carriers_(carriers) {}

  // -- who runs ------------------------------------------------------------------------------
  unsigned add(const char* name, std::function<void()> body) {
    const auto id = static_cast<unsigned>(fibers_.size());
    fibers_.push_back(std::make_unique<Fiber>());
    recording.names.threads().define(language(id), std::string(name) + "-" + std::to_string(id));
    fibers_[id]->thread = std::thread([this, id, body = std::move(body)] {
      {
        std::unique_lock<std::mutex> guard(lock_);
        fibers_[id]->turn.wait(guard, [&] { return running_ == id; });
      }
      body();
      emit(make(EventKind::ThreadEnd), true);
      fibers_[id]->ended = true;
      switch_to(next(), false);
    });
    return id;
  }
  void start(std::function<void()> body) {
    add("main", std::move(body));
    const std::unique_lock<std::mutex> guard(lock_);
    running_ = 0;
    mount(0);
    fibers_[0]->turn.notify_one();
  }
  void finish() {
    for (std::size_t i = 0; i < fibers_.size(); ++i) fibers_[i]->thread.join();
  }
  void maybe_switch() {
    if (draw() % 24 == 0) yield();
  }
  void yield() { switch_to(next(), true); }
  bool ended(unsigned id) const { return fibers_[id]->ended; }

  // -- what is written -------------------------------------------------------------------------
  Event make(EventKind kind) const {
    Event e;
    e.kind = kind;
    return e;
  }
  void emit(Event e, bool in_truth, Address truth_address = 0) {
    e.thread = carriers_ == 0 ? ThreadId{running_} : ThreadId{carrier_};
    recording.machine.push_back(e);
    if (!in_truth) return;
    if (truth_address != 0) e.address = truth_address;
    e.thread = ThreadId{language(running_)};
    recording.truth.push_back(e);
  }
  SiteId site(Place at) {
    SiteId& id = sites_[{at.file, at.line}];
    if (id == kNoSite) {
      std::string file = at.file;
      file.erase(0, file.rfind('/') + 1);
      id = SiteId{static_cast<std::uint32_t>(
          recording.names.sites().intern(file + ":" + std::to_string(at.line)))};
    }
    return id;
  }
  Address address(const void* p) const {
    const auto a = reinterpret_cast<Address>(p);
    if (a - heap_ < heap_bytes_) return kHeap + (a - heap_);
    return a - statics_ < statics_bytes_ ? kStatics + (a - statics_) : a;
  }
  std::uint32_t language(unsigned id) const { return carriers_ == 0 ? id : kGreen + id; }

  Recording recording;
  Address heap_ = 0;
  std::size_t heap_bytes_ = 0;
  Address statics_ = 0;
  std::size_t statics_bytes_ = 0;
  std::uint64_t syncs_ = 0;

 private:
  std::uint64_t draw() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
    return z ^ (z >> 31);
  }
  // Any thread that lives, this one too.
  unsigned next() {
    std::vector<unsigned> alive;
    for (unsigned i = 0; i < fibers_.size(); ++i) {
      if (!fibers_[i]->ended) alive.push_back(i);
    }
    return alive.empty() ? running_ : alive[draw() % alive.size()];
  }
  void switch_to(unsigned id, bool wait) {
    const unsigned me = running_;
    if (id == me) return;
    std::unique_lock<std::mutex> guard(lock_);
    running_ = id;
    mount(id);
    fibers_[id]->turn.notify_one();
    if (wait) fibers_[me]->turn.wait(guard, [&] { return running_ == me; });
  }
  // A green thread takes a carrier.
  void mount(unsigned id) {
    if (carriers_ == 0) return;
    const auto c = static_cast<unsigned>(draw() % carriers_);
    carrier_ = c;
    Event e = make(EventKind::Switch);
    e.thread = ThreadId{c};
    e.target = language(id);
    recording.machine.push_back(e);
  }

  std::mutex lock_;
  unsigned running_ = ~0u;  // guarded by the lock, but for the one that runs
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::map<std::pair<const char*, int>, SiteId> sites_;
  std::uint64_t state_;
  unsigned carriers_;
  unsigned carrier_ = 0;
};

World* world = nullptr;

}  // namespace

Recording record(std::uint64_t seed, unsigned carriers, const std::function<void()>& program) {
  World here(seed, carriers);
  world = &here;
  here.start(program);
  here.finish();
  world = nullptr;
  return std::move(here.recording);
}

namespace detail {

void access(EventKind kind, Object* o, const void* p, std::size_t bytes, Place at, bool system) {
  world->maybe_switch();
  Event e = world->make(kind);
  e.address = world->address(p);
  e.size = bytes;
  e.site = world->site(at);
  e.system = system;
  const auto offset =
      o == nullptr
          ? 0
          : static_cast<Address>(static_cast<const char*>(p) - reinterpret_cast<const char*>(o));
  world->emit(e, !system, o == nullptr ? 0 : kIdentities + Address{o->id} * 65536 + offset);
}

void reference(EventKind kind, Object*, const void* p, Object* value) {
  Event e = world->make(kind);
  e.address = world->address(p);
  e.other = value == nullptr ? 0 : world->address(value);
  world->emit(e, false);
}

void synchronise(EventKind kind, std::uint64_t sync, Place at, bool system) {
  if (kind == EventKind::Release) world->maybe_switch();
  Event e = world->make(kind);
  e.address = sync;
  e.site = world->site(at);
  e.system = system;
  world->emit(e, !system);
}

std::uint64_t new_sync(const char* name) {
  const std::uint64_t id = ++world->syncs_;
  world->recording.names.syncs().define(id, std::string(name) + "#" + std::to_string(id));
  return id;
}

void let_others_run() {
  world->yield();
}

unsigned fork(const char* name, std::function<void()> body) {
  const unsigned id = world->add(name, std::move(body));
  Event e = world->make(EventKind::Fork);
  e.target = world->language(id);
  world->emit(e, true);
  return id;
}
bool has_ended(unsigned thread) {
  return world->ended(thread);
}
void join(unsigned thread) {
  Event e = world->make(EventKind::Join);
  e.target = world->language(thread);
  world->emit(e, true);
}

void range(EventKind kind, const void* p, std::size_t bytes, const void* to) {
  Event e = world->make(kind);
  e.address = world->address(p);
  e.size = bytes;
  e.other = to == nullptr ? 0 : world->address(to);
  e.system = true;
  world->emit(e, false);
}

}  // namespace detail

void heap_at(const void* p, std::size_t bytes) {
  world->heap_ = reinterpret_cast<Address>(p);
  world->heap_bytes_ = bytes;
}

void statics_at(const void* p, std::size_t bytes) {
  world->statics_ = reinterpret_cast<Address>(p);
  world->statics_bytes_ = bytes;
}

void born(Object* o) {
  Event e = world->make(EventKind::Alloc);
  e.address = world->address(o);
  e.size = o->bytes();
  world->emit(e, false);
}

}  // namespace managed::world
