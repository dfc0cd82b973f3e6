#include "trace/feasibility.h"

#include <algorithm>
#include <fmt/format.h>

namespace steward::trace {

namespace {

constexpr std::uint32_t kSmall = 65536;

bool overlap(std::uint64_t a, std::uint64_t b, std::uint64_t size) {
  return (a > b ? a - b : b - a) < size;
}

}  // namespace

std::optional<std::string> Feasibility::check_slowly(const Event& e) {
  if (e.thread == kAllThreads) return sample(e, e.thread);
  if (e.kind == EventKind::Switch) return run(e.thread, e.target_thread());
  const ThreadId t = language_thread(e.thread);
  const Life before = life(t);
  if (before >= Life::Ended) return may_act(t);
  if (auto complaint = check_kind(e, t)) return complaint;
  if (e.kind == EventKind::ThreadEnd || e.kind == EventKind::Join) {
    live_ = kAllThreads;
    if (e.kind == EventKind::ThreadEnd) return std::nullopt;
  } else {
    live_ = e.thread;
  }
  if (before != Life::Live) set_life(t, Life::Live);
  return std::nullopt;
}

std::optional<std::string> Feasibility::check_kind(const Event& e, ThreadId t) {
  switch (e.kind) {
    case EventKind::Acquire:
      return e.system || e.mode == SyncMode::Volatile ? std::nullopt : acquire(e, t);
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      return e.system || e.mode == SyncMode::Volatile ? std::nullopt : release(e, t);
    case EventKind::Fork:
      return fork(t, e.target_thread());
    case EventKind::Join:
      return join(t, e.target_thread());
    case EventKind::ThreadEnd:
      set_life(t, Life::Ended);
      threads_.erase(raw(t));
      return std::nullopt;
    case EventKind::Move:
      if (e.size == 0) return fmt::format("{} moves no bytes", names_->thread(t));
      if (overlap(e.address, e.other, e.size)) {
        return fmt::format("{} moves {} bytes from {} to {}, which overlap", names_->thread(t),
                           e.size, names_->variable(e.address), names_->variable(e.other));
      }
      return std::nullopt;
    case EventKind::Enter:
      threads_[raw(t)].calls.push_back(e.function());
      return std::nullopt;
    case EventKind::Exit:
      return exit(t, e.function());
    case EventKind::SampleBegin:
    case EventKind::SampleEnd:
      return sample(e, t);
    case EventKind::Read:
    case EventKind::Write:
    case EventKind::Alloc:
    case EventKind::Free:
    case EventKind::Switch:
    case EventKind::LoadRef:
    case EventKind::StoreRef:
    case EventKind::Instructions:
    case EventKind::Stack:
    case EventKind::SystemCall:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> Feasibility::may_act(ThreadId t) const {
  switch (life(t)) {
    case Life::Unseen:
    case Life::Forked:
    case Life::Live:
      return std::nullopt;
    case Life::Ended:
      return fmt::format("{} acts after its end", names_->thread(t));
    case Life::Joined:
      return fmt::format("{} acts after it was joined", names_->thread(t));
  }
  return std::nullopt;
}

std::optional<std::string> Feasibility::acquire(const Event& e, ThreadId t) {
  const bool shared = e.mode == SyncMode::Shared;
  Lock& lock = locks_[e.address];
  const auto refuse = [&](ThreadId holder, const char* how) {
    return fmt::format("{} acquires {}{}, which {} holds{}", names_->thread(t),
                       names_->sync(e.sync()), shared ? " for reading" : "", names_->thread(holder),
                       how);
  };
  // A refused lock is held, so its entry was not made just now.
  if (lock.writer.depth > 0 && lock.writer.thread != t) return refuse(lock.writer.thread, "");
  if (!shared) {
    for (const Hold& reader : lock.readers) {
      if (reader.thread != t) return refuse(reader.thread, " for reading");
    }
    lock.writer.thread = t;
    ++lock.writer.depth;
    return std::nullopt;
  }
  const auto mine = std::find_if(lock.readers.begin(), lock.readers.end(),
                                 [t](const Hold& h) { return h.thread == t; });
  if (mine != lock.readers.end()) {
    ++mine->depth;
  } else {
    lock.readers.push_back({t, 1});
  }
  return std::nullopt;
}

std::optional<std::string> Feasibility::release(const Event& e, ThreadId t) {
  const bool shared = e.mode == SyncMode::Shared;
  const auto refuse = [&] {
    return fmt::format("{} releases {}, which it does not hold{}", names_->thread(t),
                       names_->sync(e.sync()), shared ? " for reading" : "");
  };
  const auto found = locks_.find(e.address);
  if (found == locks_.end()) return refuse();
  Lock& lock = found->second;
  if (shared) {
    const auto mine = std::find_if(lock.readers.begin(), lock.readers.end(),
                                   [t](const Hold& h) { return h.thread == t; });
    if (mine == lock.readers.end()) return refuse();
    if (--mine->depth == 0) {
      *mine = lock.readers.back();
      lock.readers.pop_back();
    }
  } else {
    if (lock.writer.depth == 0 || lock.writer.thread != t) return refuse();
    --lock.writer.depth;
  }
  if (lock.writer.depth == 0 && lock.readers.empty()) locks_.erase(found);
  return std::nullopt;
}

std::optional<std::string> Feasibility::fork(ThreadId t, ThreadId child) {
  const std::string parent = names_->thread(t);
  if (child == t) return fmt::format("{} forks itself", parent);
  const char* why = nullptr;
  switch (life(child)) {
    case Life::Unseen:
      set_life(child, Life::Forked);
      return std::nullopt;
    case Life::Forked:
      why = "was already forked";
      break;
    case Life::Live:
      why = "already runs";
      break;
    case Life::Ended:
      why = "has ended";
      break;
    case Life::Joined:
      why = "was joined";
      break;
  }
  return fmt::format("{} forks {}, which {}", parent, names_->thread(child), why);
}

std::optional<std::string> Feasibility::join(ThreadId t, ThreadId child) {
  if (child == t) return fmt::format("{} joins itself", names_->thread(t));
  switch (life(child)) {
    case Life::Unseen:
      return fmt::format("{} joins {}, which never existed", names_->thread(t),
                         names_->thread(child));
    case Life::Joined:
      return fmt::format("{} joins {}, which was already joined", names_->thread(t),
                         names_->thread(child));
    case Life::Forked:
    case Life::Live:
    case Life::Ended:
      break;
  }
  set_life(child, Life::Joined);
  threads_.erase(raw(child));
  return std::nullopt;
}

std::optional<std::string> Feasibility::exit(ThreadId t, FunctionId f) {
  const auto found = threads_.find(raw(t));
  if (found == threads_.end() || found->second.calls.empty()) {
    return fmt::format("{} exits {}, which it did not enter", names_->thread(t),
                       names_->function(f));
  }
  auto& calls = found->second.calls;
  if (calls.back() != f) {
    return fmt::format("{} exits {} while it is in {}", names_->thread(t), names_->function(f),
                       names_->function(calls.back()));
  }
  calls.pop_back();
  return std::nullopt;
}

std::optional<std::string> Feasibility::sample(const Event& e, ThreadId t) {
  const bool begin = e.kind == EventKind::SampleBegin;
  bool& sampling = t == kAllThreads ? all_sampling_ : threads_[raw(t)].sampling;
  if (begin == sampling) {
    return fmt::format("{} {}", names_->thread(t),
                       begin ? "begins a sampling period inside another"
                             : "ends a sampling period that did not begin");
  }
  sampling = begin;
  return std::nullopt;
}

std::optional<std::string> Feasibility::run(ThreadId carrier, ThreadId t) {
  if (life(t) >= Life::Ended) {
    return fmt::format("{} switches to {}, which {}", names_->thread(carrier), names_->thread(t),
                       life(t) == Life::Ended ? "has ended" : "was joined");
  }
  if (carrier == t) {
    carried_.erase(raw(carrier));
  } else {
    carried_[raw(carrier)] = t;
  }
  live_ = kAllThreads;
  return std::nullopt;
}

Feasibility::Life Feasibility::life(ThreadId t) const {
  const std::uint32_t id = raw(t);
  if (id < kSmall) return id < small_lives_.size() ? small_lives_[id] : Life::Unseen;
  const auto found = large_lives_.find(id);
  return found == large_lives_.end() ? Life::Unseen : found->second;
}

void Feasibility::set_life(ThreadId t, Life l) {
  const std::uint32_t id = raw(t);
  if (id >= kSmall) {
    large_lives_[id] = l;
    return;
  }
  if (id >= small_lives_.size()) small_lives_.resize(id + 1);
  small_lives_[id] = l;
}

ThreadId Feasibility::language_thread(ThreadId carrier) const {
  if (carried_.empty()) return carrier;
  const auto found = carried_.find(raw(carrier));
  return found == carried_.end() ? carrier : found->second;
}

}  // namespace steward::trace
