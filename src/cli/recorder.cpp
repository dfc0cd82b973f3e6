#include "cli/recorder.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "trace/rules.h"

namespace steward::cli {

using namespace rt::trace;

namespace {

constexpr std::size_t kQueued = 8;  // blocks

// Does the processor's counter run at one rate, on all cores alike?
bool tsc_is_a_clock() {
  if (const char* wanted = std::getenv("STEWARD_RECORD_CLOCK")) {
    if (std::string_view(wanted) == "counter") return false;
  }
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("flags")) continue;
    return line.find(" constant_tsc") != std::string::npos &&
           line.find(" nonstop_tsc") != std::string::npos;
  }
  return false;
}

}  // namespace

RecordChannel::~RecordChannel() {
  if (channel_ != nullptr) ::munmap(channel_, sizeof(Channel));
  if (fd_ >= 0) ::close(fd_);
}

std::string RecordChannel::make() {
  const auto failed = [](const char* what) {
    return fmt::format("cannot {} memory for the program's events: {}", what, std::strerror(errno));
  };
  fd_ = ::memfd_create("steward-record", MFD_CLOEXEC);
  if (fd_ < 0 || ::ftruncate(fd_, sizeof(Channel)) != 0) return failed("make");
  void* at = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (at == MAP_FAILED) return failed("map");
  channel_ = static_cast<Channel*>(at);
  channel_->header.magic = kMagic;
  channel_->header.recorder = static_cast<std::uint32_t>(::getpid());
  channel_->header.has_tsc = tsc_is_a_clock() ? 1 : 0;
  return {};
}

std::string RecordChannel::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_);
}

Recorder::Recorder(Channel& channel, std::unique_ptr<trace::Sink> sink, std::uint64_t limit,
                   std::string records)
    : channel_(channel),
      limit_(limit),
      records_(std::move(records)),
      writer_(std::move(sink), names_, {}),
      code_(names_, names_lock_),
      lanes_(channel) {}

Recorder::~Recorder() {
  if (merger_.joinable()) finish();
}

void Recorder::start() {
  merger_ = std::thread([this] { merge_all(); });
  packer_ = std::thread([this] { write_all(); });
}

struct Recorder::Take {
  Recorder& r;

  void operator()(std::uint32_t thread, bool write, unsigned size_code, std::uint64_t address,
                  std::uint64_t pc) {
    r.encoder_.add_access(ThreadId{thread}, write, size_code, r.code_.site(pc), address);
    ++r.block_accesses_;
    end_block();
  }
  void operator()(const RawEvent& raw) {
    if (raw.op == Op::Loop) return take_loop(raw);
    r.translator_.take(raw, r.translated_);
    for (const Event& e : r.translated_.events()) {
      if (const char* rule = trace::broken_rule(e)) {
        r.broken_rule_ = rule;
        continue;
      }
      r.encoder_.add(e);
      r.block_accesses_ += e.is_access() ? 1 : 0;
    }
    r.translated_.clear();
    end_block();
  }
  void take_loop(const RawEvent& raw) {
    // As often as between single accesses.
    constexpr std::uint64_t kMany = 32;
    trace::Loop loop;
    loop.thread = ThreadId{raw.thread};
    loop.system = raw.system;
    loop.rounds = static_cast<std::uint32_t>(raw.address);
    loop.instructions = raw.where >> kWalksBits;
    if (loop.instructions != 0) {
      loop.told_every = static_cast<std::uint32_t>((kMany - 1) / loop.instructions + 1);
      r.counts_instructions_ = true;
    }
    r.walks_.clear();
    for (const RawWalk& w : raw.walks) {
      r.walks_.push_back({w.write, w.size_code, r.code_.site(w.pc), w.address, w.step});
    }
    loop.walks = r.walks_;
    if (const char* rule = trace::broken_rule(loop)) {
      r.broken_rule_ = rule;
      return;
    }
    r.encoder_.add(loop);
    r.block_accesses_ += loop.accesses();
    end_block();
  }
  void end_block() {
    if (r.encoder_.count() >= trace::kDefaultBlockEvents) r.hand_over();
  }
};

bool Recorder::merge(std::uint64_t until) {
  if (owner_ == 0) {
    owner_ = channel_.header.owner.load();
    if (owner_ == 0) return false;
    code_.read_modules_from(fmt::format("{}.{}", records_, owner_));
  }
  return lanes_.merge(until, Take{*this});
}

void Recorder::merge_all() {
  using namespace std::chrono_literals;
  auto flushed = std::chrono::steady_clock::now();
  while (!ended_.load()) {
    const bool any = merge(lanes_.now());
    // If we are killed, no more than this is lost.
    const auto time = std::chrono::steady_clock::now();
    if (time - flushed > 1s) {
      hand_over();
      flushed = time;
    }
    if (!any) std::this_thread::sleep_for(200us);
  }
  while (merge(~std::uint64_t{0})) {
  }
  hand_over();
  const std::lock_guard guard(queue_lock_);
  last_ = true;
  queue_changed_.notify_all();
}

void Recorder::hand_over() {
  if (encoder_.count() == 0) return;
  // Once nothing more is wanted, what threads still tell is taken from them and dropped.
  const std::uint64_t accesses = std::exchange(block_accesses_, 0);
  if (discards_.load(std::memory_order_relaxed)) return encoder_.clear();
  accesses_ += accesses;
  trace::EncodedBlock block;
  std::unique_lock guard(queue_lock_);
  queue_changed_.wait(guard, [&] { return queue_.size() < kQueued; });
  if (!spare_.empty()) {
    block = std::move(spare_.back());
    spare_.pop_back();
  }
  encoder_.clear_into(block);
  queue_.push_back(std::move(block));
  queue_changed_.notify_all();
}

void Recorder::write_all() {
  for (;;) {
    trace::EncodedBlock block;
    {
      std::unique_lock guard(queue_lock_);
      queue_changed_.wait(guard, [&] { return !queue_.empty() || last_; });
      if (queue_.empty()) return;
      block = std::move(queue_.front());
      queue_.pop_front();
      queue_changed_.notify_all();
    }
    write(block);
    const std::lock_guard guard(queue_lock_);
    spare_.push_back(std::move(block));
  }
}

void Recorder::write(const trace::EncodedBlock& block) {
  if (discards_.load(std::memory_order_relaxed)) return;
  {
    const std::lock_guard guard(names_lock_);
    writer_.write_names();
  }
  writer_.write(block);
  hit_limit_ = writer_.bytes() >= limit_;
  if (!hit_limit_ && writer_.ok()) return;
  discards_.store(true);
  channel_.header.stop.store(1);
}

Recorded Recorder::finish() {
  ended_.store(true);
  merger_.join();
  packer_.join();
  if (hit_limit_) writer_.cut(trace::Cut::SizeLimit, limit_);
  writer_.finish();
  Recorded r;
  r.events = writer_.events();
  r.accesses = accesses_;
  r.bytes = writer_.bytes();
  r.counts_instructions = counts_instructions_ || translator_.counts_instructions();
  r.hit_limit = hit_limit_;
  if (broken_rule_ != nullptr) {
    r.error = fmt::format("the program told of an event that no trace can hold: expected {}",
                          broken_rule_);
  }
  if (writer_.error()) r.error = writer_.error()->message;
  return r;
}

}  // namespace steward::cli
