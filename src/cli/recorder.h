// Takes what a process tells through the channel and writes the trace: one thread merges and
// translates and encodes, another compresses.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/record_lanes.h"
#include "cli/record_names.h"
#include "cli/record_translate.h"
#include "trace/binary_writer.h"
#include "trace/event_encoder.h"

namespace steward::cli {

// The memory that a process opens by its name.
class RecordChannel {
 public:
  ~RecordChannel();
  std::string make();  // what failed; empty: nothing
  rt::trace::Channel& operator*() { return *channel_; }
  rt::trace::Channel* operator->() { return channel_; }
  std::string path() const;

 private:
  int fd_ = -1;
  rt::trace::Channel* channel_ = nullptr;
};

struct Recorded {
  std::uint64_t events = 0;
  std::uint64_t accesses = 0;
  std::uint64_t bytes = 0;
  bool counts_instructions = false;
  bool hit_limit = false;
  std::string error;
};

class Recorder {
 public:
  // `records`: the beginning of the name of the process's file of raw records.
  Recorder(rt::trace::Channel& channel, std::unique_ptr<trace::Sink> sink, std::uint64_t limit,
           std::string records);
  ~Recorder();

  void start();
  // The process has ended: takes the rest, and completes the trace.
  Recorded finish();

 private:
  struct Take;

  void merge_all();
  bool merge(std::uint64_t until);
  void hand_over();
  void write_all();
  void write(const trace::EncodedBlock& block);

  rt::trace::Channel& channel_;
  const std::uint64_t limit_;
  const std::string records_;
  std::mutex names_lock_;
  trace::Names names_;
  trace::BinaryWriter writer_;
  RecordedCode code_;
  RecordTranslator translator_{code_};
  RecordLanes lanes_;
  EventBuffer translated_;
  std::vector<trace::Walk> walks_;
  bool counts_instructions_ = false;  // of loops
  trace::EventEncoder encoder_;
  std::uint64_t block_accesses_ = 0, accesses_ = 0;
  const char* broken_rule_ = nullptr;  // of an event that no trace can hold
  std::uint32_t owner_ = 0;

  std::atomic<bool> ended_{false};     // the process has
  std::atomic<bool> discards_{false};  // the limit was reached, or the file cannot be written
  bool hit_limit_ = false;

  std::mutex queue_lock_;
  std::condition_variable queue_changed_;
  std::deque<trace::EncodedBlock> queue_;
  std::vector<trace::EncodedBlock> spare_;
  bool last_ = false;
  std::thread merger_, packer_;
};

}  // namespace steward::cli
