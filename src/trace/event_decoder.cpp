#include "trace/event_decoder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "trace/binary_format.h"
#include "trace/rules.h"
#include "trace/varint.h"

namespace steward::trace {

namespace {

struct OpEvent {
  EventKind kind{};
  SyncMode mode = SyncMode::Exclusive;
  bool atomic = false;
};

constexpr std::array<OpEvent, 32> kEventOfOp = [] {
  std::array<OpEvent, 32> t{};
  const auto set = [&t](Op op, EventKind kind, unsigned add = 0) -> OpEvent& {
    OpEvent& e = t[static_cast<std::size_t>(op) + add];
    e.kind = kind;
    return e;
  };
  set(Op::Read, EventKind::Read);
  set(Op::Write, EventKind::Write);
  set(Op::AtomicRead, EventKind::Read).atomic = true;
  set(Op::AtomicWrite, EventKind::Write).atomic = true;
  for (unsigned mode = 0; mode < 3; ++mode) {
    const auto m = static_cast<SyncMode>(mode);
    set(Op::Acquire, EventKind::Acquire, mode).mode = m;
    set(Op::Release, EventKind::Release, mode).mode = m;
    set(Op::ReleaseMerge, EventKind::ReleaseMerge, mode).mode = m;
  }
  set(Op::Fork, EventKind::Fork);
  set(Op::Join, EventKind::Join);
  set(Op::ThreadEnd, EventKind::ThreadEnd);
  set(Op::Alloc, EventKind::Alloc);
  set(Op::Free, EventKind::Free);
  set(Op::Move, EventKind::Move);
  set(Op::Switch, EventKind::Switch);
  set(Op::LoadRef, EventKind::LoadRef);
  set(Op::StoreRef, EventKind::StoreRef);
  set(Op::Enter, EventKind::Enter);
  set(Op::Exit, EventKind::Exit);
  set(Op::SampleBegin, EventKind::SampleBegin);
  set(Op::SampleEnd, EventKind::SampleEnd);
  set(Op::Instructions, EventKind::Instructions);
  set(Op::Stack, EventKind::Stack);
  set(Op::SystemCall, EventKind::SystemCall);
  return t;
}();

// By the whole first byte: the size when it is an access with a coded size, else 0.
constexpr std::array<std::uint8_t, 256> kAccessSize = [] {
  std::array<std::uint8_t, 256> t{};
  for (unsigned tag = 0; tag < 256; ++tag) {
    if ((tag & kOpMask) <= static_cast<unsigned>(Op::AtomicWrite)) {
      t[tag] = kCodedSizes[tag >> kOpBits];
    }
  }
  return t;
}();

// False when the number is no site.
bool get_site(const char*& at, ThreadState& state, SiteId& out) {
  const std::uint64_t v = get_varint(at);
  if (v == 0) return true;
  const std::uint64_t site = state.site + unzigzag(v - 1);
  state.site = static_cast<std::uint32_t>(site);
  out = SiteId{state.site};
  return site - 1 < 0xffff'ffff;
}

std::uint64_t get_delta(const char*& at, std::uint64_t& last) {
  last += unzigzag(get_varint(at));
  return last;
}

}  // namespace

void EventDecoder::start(const char* bytes, std::size_t size, std::uint32_t count) {
  begin_ = at_ = bytes;
  end_ = bytes + size;
  left_ = count;
  state_ = nullptr;
  states_.next_block();
  loop_ = {};
  broken_.clear();
  check_end();
}

std::size_t EventDecoder::decode(std::span<Event> out) {
  const std::size_t wanted = std::min<std::size_t>(out.size(), left_);
  const char* at = at_;
  std::size_t n = 0;
  while (n < wanted) {
    if (loop_.rounds != 0) {
      n += expand(out.subspan(n, wanted - n));
      continue;
    }
    n += decode_accesses(at, out.subspan(n, wanted - n));
    if (n == wanted || !decode_other(at, out[n], left_ - n)) break;
    if (loop_.rounds == 0) ++n;
  }
  at_ = at;
  left_ -= static_cast<std::uint32_t>(n);
  if (broken_.empty()) check_end();
  return n;
}

// Plain accesses of one thread, up to the first event that is anything else or is broken: most of
// a trace. Apart from the rest so that all it needs stays in registers.
std::size_t EventDecoder::decode_accesses(const char*& at, std::span<Event> out) {
  if (!state_) return 0;
  const char* p = at;
  std::uint64_t last_address = state_->address;
  std::uint64_t last_site = state_->site;
  std::size_t n = 0;
  for (; n < out.size(); ++n) {
    const auto tag = static_cast<unsigned char>(*p);
    const std::uint64_t size = kAccessSize[tag];
    if (size == 0) break;
    const char* next = p + 1;
    const std::uint64_t site_code = get_varint(next);
    const std::uint64_t address = last_address + unzigzag(get_varint(next));
    const std::uint64_t site = site_code == 0 ? last_site : last_site + unzigzag(site_code - 1);
    const bool bad_site = (site_code != 0) & (site - 1 >= 0xffff'ffff);
    const bool bad_address = (address | (address + size - 1)) >= kAddressEnd;
    if ((next > end_) | bad_site | bad_address) [[unlikely]]
      break;
    last_address = address;
    last_site = site;
    p = next;
    const OpEvent& op = kEventOfOp[tag & kOpMask];
    Event& e = out[n];
    e.kind = op.kind;
    e.mode = op.mode;
    e.atomic = op.atomic;
    e.system = false;
    e.thread = thread_;
    e.site = site_code == 0 ? kNoSite : SiteId{static_cast<std::uint32_t>(site)};
    e.target = 0;
    e.address = address;
    e.size = size;
    e.other = 0;
  }
  state_->address = last_address;
  state_->site = static_cast<std::uint32_t>(last_site);
  at = p;
  return n;
}

// Any event, with the marks before it, or the beginning of a loop. On failure `at` stays at the
// event.
bool EventDecoder::decode_other(const char*& at, Event& out, std::uint64_t left) {
  const char* p = at;
  out = Event{};
  for (;; ++p) {
    if (p >= end_) return fail(at, "expected an event, found the end of the block");
    const auto op = static_cast<Op>(*p & kOpMask);
    if (op == Op::System && *p == static_cast<char>(op)) {
      if (out.system) return fail(at, "expected an event after a system mark, found another mark");
      out.system = true;
    } else if (op == Op::Thread && *p == static_cast<char>(op) && !out.system) {
      ++p;
      if (!change_thread(p)) return fail(at, "expected a thread below 2^32, found a larger number");
      --p;
    } else {
      break;
    }
  }
  if (!state_) return fail(at, "expected a thread before the first event, found none");
  if (static_cast<unsigned char>(*p) == static_cast<unsigned char>(Op::Loop)) {
    return decode_loop(at, p + 1, out.system, left);
  }
  ThreadState& s = *state_;
  const auto tag = static_cast<unsigned char>(*p++);
  const unsigned op = tag & kOpMask;
  const unsigned code = tag >> kOpBits;
  const bool access = op <= static_cast<unsigned>(Op::AtomicWrite);
  const bool mark =
      op == static_cast<unsigned>(Op::Thread) || op == static_cast<unsigned>(Op::System);
  if (mark || op == static_cast<unsigned>(Op::Loop) || code > 5 || (code != 0 && !access)) {
    return fail(at, fmt::format("expected an event, found byte {:#04x}", tag));
  }
  out.kind = kEventOfOp[op].kind;
  out.mode = kEventOfOp[op].mode;
  out.atomic = kEventOfOp[op].atomic;
  out.thread = thread_;
  const bool site_ok = get_site(p, s, out.site);
  std::uint64_t target = 0;
  switch (out.kind) {
    case EventKind::Read:
    case EventKind::Write:
      out.address = get_delta(p, s.address);
      out.size = code == 0 ? get_varint(p) : kCodedSizes[code];
      break;
    case EventKind::Acquire:
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      out.address = get_delta(p, s.sync);
      break;
    case EventKind::Fork:
    case EventKind::Join:
    case EventKind::Switch:
    case EventKind::Enter:
    case EventKind::Exit:
      target = get_varint(p);
      break;
    case EventKind::Alloc:
    case EventKind::Free:
    case EventKind::Move:
    case EventKind::Stack:
      out.address = get_delta(p, s.address);
      out.size = get_varint(p);
      if (out.kind == EventKind::Move) out.other = out.address + unzigzag(get_varint(p));
      break;
    case EventKind::LoadRef:
    case EventKind::StoreRef:
      out.address = get_delta(p, s.address);
      out.other = get_delta(p, s.object);
      break;
    case EventKind::Instructions:
      out.size = get_varint(p);
      break;
    case EventKind::ThreadEnd:
    case EventKind::SampleBegin:
    case EventKind::SampleEnd:
    case EventKind::SystemCall:
      break;
  }
  out.target = static_cast<std::uint32_t>(target);
  const char* rule = broken_rule(out);
  if (p > end_) return fail(at, "expected an event, found the end of the block");
  if (!site_ok) rule = "a site from 1 to 2^32-1";
  if (target > 0xffff'ffff) rule = "a thread or function below 2^32";
  if (rule) {
    return fail(at, fmt::format("expected {}, found byte {:#04x} with other numbers", rule, tag));
  }
  at = p;
  return true;
}

// `left`: events that the block has from here on.
bool EventDecoder::decode_loop(const char*& at, const char* p, bool system, std::uint64_t left) {
  constexpr const char* kEnd = "expected a loop, found the end of the block";
  Loop loop;
  loop.thread = thread_;
  loop.system = system;
  // What does not fit a field breaks a rule.
  const auto get = [&p](std::uint64_t most) { return std::min(get_varint(p), most + 1); };
  loop.rounds = static_cast<std::uint32_t>(get(kMaxRounds));
  loop.instructions = get(kMaxRoundInstructions);
  if (loop.instructions != 0) loop.told_every = static_cast<std::uint32_t>(get(kMaxRounds));
  walks_.resize(get(kMaxWalks));
  ThreadState& s = *state_;
  bool sites_ok = true;
  for (Walk& w : walks_) {
    if (p >= end_) return fail(at, kEnd);
    const auto tag = static_cast<unsigned char>(*p++);
    if ((tag & kOpMask) > static_cast<unsigned>(Op::Write)) {
      return fail(at, fmt::format("expected an access of a loop, found byte {:#04x}", tag));
    }
    w = Walk{};
    w.write = (tag & kOpMask) == static_cast<unsigned>(Op::Write);
    w.size_code = tag >> kOpBits;
    sites_ok &= get_site(p, s, w.site);
    w.address = get_delta(p, s.address);
    w.step = static_cast<std::int64_t>(unzigzag(get_varint(p)));
  }
  if (p > end_) return fail(at, kEnd);
  loop.walks = walks_;
  const char* rule = sites_ok ? broken_rule(loop) : "a site from 1 to 2^32-1";
  if (rule) return fail(at, fmt::format("expected {}, found a loop with other numbers", rule));
  if (loop.events() > left) {
    return fail(at, fmt::format("expected a loop of at most {} events, found one of {}", left,
                                loop.events()));
  }
  loop_ = loop;
  round_ = 0;
  walk_ = 0;
  told_ = loop.instructions == 0;
  at = p;
  return true;
}

std::size_t EventDecoder::expand(std::span<Event> out) {
  std::size_t n = 0;
  while (n < out.size()) {
    if (!told_) {
      Event& e = out[n++] = Event{};
      e.kind = EventKind::Instructions;
      e.system = loop_.system;
      e.thread = loop_.thread;
      e.size = loop_.instructions * std::min(loop_.told_every, loop_.rounds - round_);
      told_ = true;
      continue;
    }
    const Walk& w = walks_[walk_];
    Event& e = out[n++] = Event{};
    e.kind = w.write ? EventKind::Write : EventKind::Read;
    e.system = loop_.system;
    e.thread = loop_.thread;
    e.site = w.site;
    e.address = w.address + static_cast<std::uint64_t>(w.step) * round_;
    e.size = kCodedSizes[w.size_code];
    if (++walk_ < walks_.size()) continue;
    walk_ = 0;
    if (++round_ == loop_.rounds) {
      loop_ = {};
      break;
    }
    told_ = loop_.instructions == 0 || round_ % loop_.told_every != 0;
  }
  return n;
}

bool EventDecoder::change_thread(const char*& at) {
  const std::uint64_t id = get_varint(at);
  if (id > 0xffff'ffff) return false;
  thread_ = ThreadId{static_cast<std::uint32_t>(id)};
  state_ = &states_.of(thread_);
  return true;
}

bool EventDecoder::fail(const char* at, const std::string& what) {
  at_ = at;
  broken_ = what;
  return false;
}

void EventDecoder::check_end() {
  if (left_ == 0 && at_ != end_) {
    fail(at_, "expected the end of the block after its last event, found more bytes");
  }
}

}  // namespace steward::trace
