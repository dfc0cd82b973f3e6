// Writing a trace, batch by batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "event/event.h"
#include "trace/error.h"
#include "trace/names.h"
#include "trace/reader.h"
#include "trace/sink.h"

namespace steward::trace {

// The names are those of the events' source: they may grow while it is read, and must outlive the
// writer. Nothing throws and nothing is reported until asked: after an error a writer ignores what
// it is given.
class Writer {
 public:
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  virtual void write(std::span<const Event> events) = 0;
  // Writes all that is buffered, as far as a reader of a growing file can use it.
  virtual void flush() = 0;
  // The execution went on, but not the trace: said before finish().
  virtual void cut(Cut why, std::uint64_t at) = 0;
  // Completes the trace and closes the sink. Without it the trace is partial.
  virtual void finish() = 0;

  // A failed write (disk full, broken pipe) or an event that no trace can hold.
  const std::optional<Error>& error() const { return error_ ? error_ : sink_->error(); }
  bool ok() const { return !error_ && !sink_->error(); }
  std::uint64_t bytes() const { return sink_->bytes(); }  // that left for the sink
  std::uint64_t events() const { return events_; }

 protected:
  explicit Writer(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}

  std::unique_ptr<Sink> sink_;
  std::optional<Error> error_;
  std::uint64_t events_ = 0;
};

inline constexpr std::uint32_t kDefaultBlockEvents = 65536;

struct BinaryOptions {
  std::uint32_t block_events = kDefaultBlockEvents;
  int zstd_level = 1;
};

std::unique_ptr<Writer> make_text_writer(std::unique_ptr<Sink> sink, const Names& names);
std::unique_ptr<Writer> make_binary_writer(std::unique_ptr<Sink> sink, const Names& names,
                                           const BinaryOptions& options = {});
std::unique_ptr<Writer> make_writer(Format format, std::unique_ptr<Sink> sink, const Names& names);

}  // namespace steward::trace
