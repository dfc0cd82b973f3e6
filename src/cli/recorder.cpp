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

namespace steward::cli {

using namespace rt::trace;

namespace {

constexpr std::size_t kQueued = 16;

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
      writer_(trace::make_binary_writer(std::move(sink), names_)),
      code_(names_, names_lock_),
      lanes_(channel) {}

Recorder::~Recorder() {
  if (merger_.joinable()) finish();
}

void Recorder::start() {
  merger_ = std::thread([this] { merge_all(); });
  encoder_ = std::thread([this] { write_all(); });
}

bool Recorder::merge(std::uint64_t until) {
  if (owner_ == 0) {
    owner_ = channel_.header.owner.load();
    if (owner_ == 0) return false;
    code_.read_modules_from(fmt::format("{}.{}", records_, owner_));
  }
  return lanes_.merge(until, [this](const RawEvent& raw) {
    if (discards_.load(std::memory_order_relaxed)) return;
    translator_.take(raw, *batch_);
    if (batch_->full()) hand_over();
  });
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
  if (batch_->empty()) return;
  std::unique_lock guard(queue_lock_);
  queue_changed_.wait(guard, [&] { return queue_.size() < kQueued; });
  queue_.push_back(std::move(batch_));
  queue_changed_.notify_all();
  if (spare_.empty()) {
    batch_ = std::make_unique<EventBuffer>();
  } else {
    batch_ = std::move(spare_.back());
    spare_.pop_back();
  }
}

void Recorder::write_all() {
  Batch batch;
  for (;;) {
    {
      std::unique_lock guard(queue_lock_);
      if (batch != nullptr) {
        batch->clear();
        spare_.push_back(std::move(batch));
      }
      queue_changed_.wait(guard, [&] { return !queue_.empty() || last_; });
      if (queue_.empty()) return;
      batch = std::move(queue_.front());
      queue_.pop_front();
      queue_changed_.notify_all();
    }
    write(*batch);
  }
}

void Recorder::write(const EventBuffer& batch) {
  if (discards_.load(std::memory_order_relaxed)) return;
  const std::lock_guard guard(names_lock_);
  writer_->write(batch.events());
  if (!batch.full()) writer_->flush();
  hit_limit_ = writer_->bytes() >= limit_;
  if (!hit_limit_ && writer_->ok()) return;
  discards_.store(true);
  channel_.header.stop.store(1);
}

Recorded Recorder::finish() {
  ended_.store(true);
  merger_.join();
  encoder_.join();
  if (hit_limit_) writer_->cut(trace::Cut::SizeLimit, limit_);
  writer_->finish();
  Recorded r;
  r.events = writer_->events();
  r.accesses = translator_.accesses();
  r.bytes = writer_->bytes();
  r.counts_instructions = translator_.counts_instructions();
  r.hit_limit = hit_limit_;
  if (writer_->error()) r.error = writer_->error()->message;
  return r;
}

}  // namespace steward::cli
