#include "runtime/trace/tool.h"

#include <linux/futex.h>

#include "runtime/options.h"
#include "runtime/record/record_file.h"
#include "runtime/thread/registry.h"

namespace steward::rt::trace {

const std::atomic<std::uint64_t>* slow_clock = nullptr;

namespace {

Channel* channel = nullptr;
std::atomic<bool> recording{false};

// An event is at most five entries: stamp, instructions, size, other and itself. A signal handler
// that comes between a look for room and the use of it may need as many, and one within it.
constexpr unsigned kMargin = 32;

// Until the recorder has given a chunk back since it had given `given`, or a tenth of a second.
void wait_for_chunk(std::uint32_t given) {
  const long time[2] = {0, 100'000'000};
  sys::call(SYS_futex, reinterpret_cast<long>(&channel->header.given), FUTEX_WAIT,
            static_cast<long>(given), reinterpret_cast<long>(time));
}

void stop() {
  recording.store(false, std::memory_order_relaxed);
}

// The recorder's memory is bounded: past some chunks it must take first. False: it wants no more,
// or is gone.
bool take_chunk(std::uint32_t& index, bool first) {
  Header& h = channel->header;
  for (;;) {
    if (h.stop.load(std::memory_order_relaxed) != 0) break;
    const std::uint32_t given = h.given.load();
    if (pop(h.free_chunks, channel->chunk, index)) return true;
    std::uint32_t used = h.chunks.load(std::memory_order_relaxed);
    // Every lane keeps one, also an idle one's: those are not ahead.
    const std::uint32_t most = kMaxAhead + h.lanes.load(std::memory_order_relaxed);
    while (used < (first || most > kMaxChunks ? kMaxChunks : most)) {
      if (h.chunks.compare_exchange_weak(used, used + 1)) {
        index = used;
        return true;
      }
    }
    h.waiting.fetch_add(1);
    wait_for_chunk(given);
    h.waiting.fetch_sub(1);
    constexpr long kNoSuchProcess = -3;
    if (sys::call(SYS_kill, static_cast<long>(h.recorder), 0) == kNoSuchProcess) break;
  }
  stop();
  return false;
}

void use(Stream& s, Chunk& c) {
  s.chunk = &c;
  s.next = s.untimed = c.entries;
  s.end = c.entries + Chunk::kEntries - kMargin;
}

// Room for an event. False: this thread is not recorded.
bool refill(ThreadState& t) {
  Stream& s = t.stream;
  if (s.lane == nullptr || !recording.load(std::memory_order_relaxed)) return false;
  std::uint32_t index;
  if (!take_chunk(index, false)) return false;
  // What is left of the old chunk stays empty; the link says that it ends here.
  s.chunk->next.store(index + 1, std::memory_order_release);
  use(s, channel->chunk[index]);
  return true;
}
bool has_room(ThreadState& t) {
  return t.stream.next < t.stream.end || refill(t);
}

// Not before what came before has happened, nor after what comes next has.
std::uint64_t ordered_time() {
  if (channel->header.has_tsc == 0) return channel->header.counter.fetch_add(1) + 1;
  __builtin_ia32_lfence();
  const std::uint64_t now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
}
void put_number(Stream& s, Op op, std::uint64_t n) {
  put(s, static_cast<std::uint64_t>(op) << kOpShift, n);
}

void put_event(ThreadState& t, Op op, const Fields& f, bool system) {
  Stream& s = t.stream;
  if (__steward_instructions != s.instructions) put_instructions(s);
  const unsigned code = size_code(f.size);
  if (f.size != 0 && code == 0) put_number(s, Op::Size, f.size);
  if (f.other != 0) put_number(s, Op::Other, f.other);
  const std::uint64_t delta = delta_to(s, ordered_time());
  put(s,
      (f.address & kAddressMask) | static_cast<std::uint64_t>(op) << kOpShift |
          static_cast<std::uint64_t>(code) << kSizeShift |
          static_cast<std::uint64_t>(f.order & 7) << kOrderShift |
          static_cast<std::uint64_t>(f.mode) << kModeShift |
          static_cast<std::uint64_t>(system) << kSystemShift,
      (f.pc & kAddressMask) | delta);
}

// The time since the last entry, or none.
std::uint64_t access_delta(Stream& s) {
  if (s.next < s.untimed) return 0;
  const std::uint64_t delta = delta_to(s, time());
  s.untimed = s.end - s.next > kUntimed ? s.next + kUntimed : s.end;
  return delta;
}

void put_access(ThreadState& t, bool write, uptr a, std::uint64_t size, uptr pc) {
  Stream& s = t.stream;
  if (__steward_instructions - s.instructions >= kManyInstructions) put_instructions(s);
  const std::uint64_t delta = access_delta(s);
  const unsigned code = size_code(size);
  if (code == 0) put_number(s, Op::Size, size);
  const Op op = write ? Op::Write : Op::Read;
  const std::uint64_t system = t.ignore_accesses != 0 ? 1 : 0;
  put(s,
      (a & kAddressMask) | static_cast<std::uint64_t>(op) << kOpShift |
          static_cast<std::uint64_t>(code) << kSizeShift | system << kSystemShift,
      (pc & kAddressMask) | delta);
}

// Is what the thread does here the run-time system's (LARD's regions, annotations)? Threads begin
// and end for the program in any case.
bool is_system(const ThreadState& t, Op op) {
  switch (op) {
    case Op::Fork:
    case Op::Join:
    case Op::ThreadEnd:
    case Op::Switch:
      return false;
    case Op::Acquire:
    case Op::Release:
    case Op::ReleaseMerge:
    case Op::Fence:
    case Op::AtomicLoad:
    case Op::AtomicStore:
    case Op::AtomicModify:
      return t.ignore_sync != 0;
    default:
      return t.ignore_accesses != 0;
  }
}

void complain(const char* line) {
  std::size_t n = 0;
  while (line[n] != '\0') ++n;
  sys::write_all(2, line, n);
}

Channel* open_channel() {
  char path[256];
  if (!environment("STEWARD_TRACE", path, sizeof path) || path[0] == '\0') {
    complain(
        "steward: nothing is recorded: this program has the recorder's library but was not started "
        "by it; run it with: steward record PROGRAM\n");
    return nullptr;
  }
  constexpr long kReadWrite = 2, kCloseOnExec = 02000000;
  const long fd = sys::call(SYS_open, reinterpret_cast<long>(path), kReadWrite | kCloseOnExec);
  if (sys::failed(fd)) return nullptr;  // the recorder is gone: a process that outlived it
  constexpr long kReadable = 1, kWritable = 2, kShared = 1;
  const long at = sys::call(SYS_mmap, 0, sizeof(Channel), kReadable | kWritable, kShared, fd, 0);
  sys::close(static_cast<int>(fd));
  if (sys::failed(at)) sys::die("no memory for the recorder's channel");
  auto* c = reinterpret_cast<Channel*>(at);
  if (c->header.magic != kMagic) sys::die("the recorder is of another version than its library");
  // A core dump has no use for it.
  constexpr long kDontDump = 16;
  sys::call(SYS_madvise, at, sizeof(Channel), kDontDump);
  return c;
}

}  // namespace

void start() {
  Channel* c = open_channel();
  if (c == nullptr) return;
  std::uint32_t nobody = 0;
  if (!c->header.owner.compare_exchange_strong(nobody, static_cast<std::uint32_t>(sys::pid()))) {
    c->header.others.fetch_add(1);
    sys::unmap(c, sizeof(Channel));
    return;
  }
  channel = c;
  if (c->header.has_tsc == 0) slow_clock = &c->header.counter;
  recording.store(true, std::memory_order_release);
}

void open_stream(ThreadState& t) {
  Stream& s = t.stream;
  if (!recording.load(std::memory_order_relaxed) || s.lane != nullptr) return;
  Header& h = channel->header;
  std::uint32_t lane, chunk;
  if (!pop(h.free_lanes, channel->lane, lane)) {
    lane = h.lanes.load(std::memory_order_relaxed);
    do {
      if (lane == kMaxLanes) {
        h.unlaned.fetch_add(1);
        return;
      }
    } while (!h.lanes.compare_exchange_weak(lane, lane + 1));
  }
  if (!take_chunk(chunk, true)) return;
  Lane& l = channel->lane[lane];
  l.thread = t.info->id;
  l.first = chunk;
  use(s, channel->chunk[chunk]);
  s.lane = &l;
  s.stamp = 0;
  s.instructions = __steward_instructions;
  s.lowest = ~uptr{0};
  l.state.store(Lane::Live, std::memory_order_release);
}

void close_stream(ThreadState& t) {
  Stream& s = t.stream;
  if (s.lane != nullptr) s.lane->state.store(Lane::Ended, std::memory_order_release);
  s = {};
}

void pass_stream(ThreadState& from, ThreadState& to) {
  event(from, Op::Switch, {.address = to.info->id});
  to.stream = from.stream;
  from.stream = {};
}

void stop_after_fork() {
  if (channel == nullptr || !recording.load(std::memory_order_relaxed)) return;
  channel->header.others.fetch_add(1);
  stop();
  current->stream = {};
}

void module_loaded() {
  if (!recording.load(std::memory_order_relaxed)) return;
  ThreadState& t = self();
  const RuntimeScope scope(t);
  const Locked guard(records_lock());
  write_modules();
}

void event(ThreadState& t, Op op, const Fields& f) {
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  put_event(t, op, f, is_system(t, op));
}

void range(ThreadState& t, bool write, uptr a, std::uint64_t size, uptr pc) {
  constexpr std::uint64_t kMost = 0xffff'ffff;  // of one access in a trace
  for (; size > kMost; a += kMost, size -= kMost) range(t, write, a, kMost, pc);
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  t.stream.untimed = t.stream.next;
  put_access(t, write, a, size, pc);
}

void walk(ThreadState& t, bool write, uptr a, std::int64_t step, unsigned size, uptr pc) {
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  put(t.stream,
      (a & kAddressMask) | static_cast<std::uint64_t>(Op::Walk) << kOpShift |
          static_cast<std::uint64_t>(size_code(size)) << kSizeShift |
          static_cast<std::uint64_t>(write) << kModeShift,
      (pc & kAddressMask) | static_cast<std::uint64_t>(step) << kAddressBits);
}

void loop(ThreadState& t, std::uint64_t rounds, std::uint64_t walks, std::uint64_t instructions) {
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  Stream& s = t.stream;
  if (__steward_instructions - s.instructions >= kManyInstructions) put_instructions(s);
  const std::uint64_t delta = delta_to(s, time());
  const std::uint64_t system = t.ignore_accesses != 0 ? 1 : 0;
  put(s, rounds | static_cast<std::uint64_t>(Op::Loop) << kOpShift | system << kSystemShift,
      instructions << kWalksBits | walks | delta);
}

void enter(ThreadState& t, std::uint64_t depth, uptr function, uptr sp) {
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  Stream& s = t.stream;
  if (sp < s.lowest) s.lowest = sp;
  put(s, (depth & kAddressMask) | static_cast<std::uint64_t>(Op::Enter) << kOpShift,
      function & kAddressMask);
  s.untimed = s.next;
}
void exit(ThreadState& t, std::uint64_t depth) {
  const RuntimeScope scope(t);
  if (!has_room(t)) return;
  Stream& s = t.stream;
  put(s, (depth & kAddressMask) | static_cast<std::uint64_t>(Op::Exit) << kOpShift, 0);
  s.untimed = s.next;
}

void make_room(ThreadState& t) {
  has_room(t);
}

void access_slow(bool write, uptr a, unsigned size, uptr pc) {
  if (current == no_thread && !started()) return;
  ThreadState& t = self();
  const RuntimeScope scope(t);
  if (has_room(t)) put_access(t, write, a, size, pc);
}

// A long time has an entry of its own; none goes back.
std::uint64_t long_delta(Stream& s, std::uint64_t now) {
  if (now <= s.stamp) return 0;
  s.stamp = now;
  put_number(s, Op::Stamp, now);
  return 0;
}

void put_instructions(Stream& s) {
  const std::uint64_t now = __steward_instructions;
  put_number(s, Op::Instructions, now - s.instructions);
  s.instructions = now;
}

}  // namespace steward::rt::trace
