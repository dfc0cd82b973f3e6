#include "trace/event_encoder.h"

#include <array>

#include "trace/binary_format.h"
#include "trace/varint.h"

namespace steward::trace {

namespace {

constexpr std::array<Op, kEventKinds> kOpOfKind = {
    Op::Read,         Op::Write,     Op::Acquire,    Op::Release, Op::ReleaseMerge, Op::Fork,
    Op::Join,         Op::ThreadEnd, Op::Alloc,      Op::Free,    Op::Move,         Op::Switch,
    Op::LoadRef,      Op::StoreRef,  Op::Enter,      Op::Exit,    Op::SampleBegin,  Op::SampleEnd,
    Op::Instructions, Op::Stack,     Op::SystemCall,
};

// The difference to the last value, which becomes this one.
char* put_delta(char* to, std::uint64_t& last, std::uint64_t value) {
  to = put_varint(to, zigzag(value - last));
  last = value;
  return to;
}

char* put_site(char* to, ThreadState& state, SiteId site) {
  if (site == kNoSite) return put_varint(to, 0);
  const std::uint64_t difference = std::uint64_t{raw(site)} - state.site;
  state.site = raw(site);
  return put_varint(to, zigzag(difference) + 1);
}

char tag(unsigned op, unsigned code = 0) {
  return static_cast<char>(op | code << kOpBits);
}
char tag(Op op) {
  return tag(static_cast<unsigned>(op));
}

}  // namespace

void EventEncoder::add(const Event& e) {
  // put_varint stores whole words: leave room behind the last one.
  if (buffer_.size() - used_ < kMaxEventBytes + 8) buffer_.resize(buffer_.size() * 2 + 65536);
  char* to = buffer_.data() + used_;
  if (!state_ || e.thread != thread_) {
    thread_ = e.thread;
    state_ = &states_.of(e.thread);
    *to++ = tag(Op::Thread);
    to = put_varint(to, raw(e.thread));
  }
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
  used_ = static_cast<std::size_t>(to - buffer_.data());
  ++count_;
}

void EventEncoder::clear() {
  used_ = 0;
  count_ = 0;
  state_ = nullptr;
  states_.next_block();
}

}  // namespace steward::trace
