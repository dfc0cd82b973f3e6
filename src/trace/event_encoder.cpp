#include "trace/event_encoder.h"

#include <array>
#include <utility>

namespace steward::trace {

namespace {

constexpr std::array<Op, kEventKinds> kOpOfKind = {
    Op::Read,         Op::Write,     Op::Acquire,    Op::Release, Op::ReleaseMerge, Op::Fork,
    Op::Join,         Op::ThreadEnd, Op::Alloc,      Op::Free,    Op::Move,         Op::Switch,
    Op::LoadRef,      Op::StoreRef,  Op::Enter,      Op::Exit,    Op::SampleBegin,  Op::SampleEnd,
    Op::Instructions, Op::Stack,     Op::SystemCall,
};

char tag(unsigned op, unsigned code = 0) {
  return static_cast<char>(op | code << kOpBits);
}
char tag(Op op) {
  return tag(static_cast<unsigned>(op));
}

}  // namespace

void EventEncoder::grow() {
  block_.buffer.resize(block_.buffer.size() * 2 + 65536);
}

void EventEncoder::note(ThreadId thread) {
  if (thread != kAllThreads) threads_.insert(raw(thread));
}

char* EventEncoder::change_thread(char* to, ThreadId thread) {
  thread_ = thread;
  bool fresh;
  state_ = &states_.of(thread, fresh);
  if (fresh) note(thread);
  *to++ = tag(Op::Thread);
  return put_varint(to, raw(thread));
}

void EventEncoder::add(const Event& e) {
  char* to = begin(e.thread);
  if (e.system) *to++ = tag(Op::System);

  ThreadState& s = *state_;
  const auto op = static_cast<unsigned>(kOpOfKind[static_cast<std::size_t>(e.kind)]);
  switch (e.kind) {
    case EventKind::Read:
    case EventKind::Write: {
      const unsigned code = size_code(e.size);
      *to++ = tag(op + (e.atomic ? 2 : 0), code);
      to = put_site(to, s, e.site);
      to = put_delta(to, s.address, e.address);
      if (code == 0) to = put_varint(to, e.size);
      break;
    }
    case EventKind::Acquire:
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      *to++ = tag(op + static_cast<unsigned>(e.mode));
      to = put_site(to, s, e.site);
      to = put_delta(to, s.sync, e.address);
      break;
    case EventKind::Fork:
    case EventKind::Join:
    case EventKind::Switch:
    case EventKind::Enter:
    case EventKind::Exit:
      *to++ = tag(op);
      to = put_site(to, s, e.site);
      to = put_varint(to, e.target);
      if (e.kind != EventKind::Enter && e.kind != EventKind::Exit) note(e.target_thread());
      break;
    case EventKind::Alloc:
    case EventKind::Free:
    case EventKind::Move:
    case EventKind::Stack:
      *to++ = tag(op);
      to = put_site(to, s, e.site);
      to = put_delta(to, s.address, e.address);
      to = put_varint(to, e.size);
      if (e.kind == EventKind::Move) to = put_varint(to, zigzag(e.other - e.address));
      break;
    case EventKind::LoadRef:
    case EventKind::StoreRef:
      *to++ = tag(op);
      to = put_site(to, s, e.site);
      to = put_delta(to, s.address, e.address);
      to = put_delta(to, s.object, e.other);
      break;
    case EventKind::Instructions:
      *to++ = tag(op);
      to = put_site(to, s, e.site);
      to = put_varint(to, e.size);
      break;
    case EventKind::ThreadEnd:
    case EventKind::SampleBegin:
    case EventKind::SampleEnd:
    case EventKind::SystemCall:
      *to++ = tag(op);
      to = put_site(to, s, e.site);
      break;
  }
  end(to);
}

void EventEncoder::add(const Loop& loop) {
  while (block_.buffer.size() - block_.used < kMaxEventBytes + kMaxWalks * kMaxWalkBytes) grow();
  char* to = begin(loop.thread);
  if (loop.system) *to++ = tag(Op::System);
  *to++ = tag(Op::Loop);
  to = put_varint(to, loop.rounds);
  to = put_varint(to, loop.instructions);
  if (loop.instructions != 0) to = put_varint(to, loop.told_every);
  to = put_varint(to, loop.walks.size());
  ThreadState& s = *state_;
  for (const Walk& w : loop.walks) {
    *to++ = tag(static_cast<unsigned>(w.write ? Op::Write : Op::Read), w.size_code);
    to = put_site(to, s, w.site);
    to = put_delta(to, s.address, w.address);
    to = put_varint(to, zigzag(static_cast<std::uint64_t>(w.step)));
  }
  end(to, static_cast<std::uint32_t>(loop.events()));
}

void EventEncoder::clear() {
  block_.used = 0;
  block_.count = 0;
  state_ = nullptr;
  states_.next_block();
}

void EventEncoder::clear_into(EncodedBlock& done) {
  block_.threads = threads();
  std::swap(block_, done);
  clear();
}

}  // namespace steward::trace
