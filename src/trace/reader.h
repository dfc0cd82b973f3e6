// Reading a trace, batch by batch, whatever its format.
//
//   Opened in = open_trace(path);
//   if (!in.reader) return fail(in.error);
//   for (auto batch = in.reader->next(); !batch.empty(); batch = in.reader->next()) ...
//   if (in.reader->error()) ...      // after all events before the broken place
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "event/event.h"
#include "trace/error.h"
#include "trace/names.h"

namespace steward::trace {

enum class Format : std::uint8_t { Text, Binary };

// Why a whole trace is not of a whole execution.
enum class Cut : std::uint8_t {
  SizeLimit = 1,  // at so many bytes
};

// What the index of a binary trace says before its events are read.
struct Totals {
  std::uint64_t events = 0;
  std::uint64_t threads = 0;  // that act or are named in an event
  std::uint64_t sites = 0;    // with a name
};

class Reader {
 public:
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The next events, valid until the next call. Empty: the end, or a broken place (see error()).
  virtual std::span<const Event> next() = 0;
  virtual Format format() const = 0;
  // 0 to 1; stays 0 when the length of the input is not known (a pipe).
  double progress() const;
  std::uint64_t bytes_read() const { return bytes_read_; }

  // Covers every id of the events returned so far that has a name.
  const Names& names() const { return names_; }
  const std::optional<Error>& error() const { return error_; }
  // One line when the trace ends without an index (its writer died, or still writes): every event
  // up to the last whole block was returned. Not an error.
  const std::optional<std::string>& partial() const { return partial_; }

  const std::optional<Totals>& totals() const { return totals_; }
  std::optional<std::uint64_t> total_events() const {
    return totals_ ? std::optional(totals_->events) : std::nullopt;
  }

 protected:
  Reader() = default;

  Names names_;
  std::optional<Error> error_;
  std::optional<std::string> partial_;
  std::optional<Totals> totals_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_total_ = 0;  // 0: not known
};

// Exactly one of the two is set.
struct Opened {
  std::unique_ptr<Reader> reader;
  std::optional<Error> error;
};

// Opens a file, or standard input for "-"; the first byte tells the format.
Opened open_trace(const std::string& path);
// Reads a trace from memory, which must outlive the reader. `name` stands for the file in messages.
Opened open_trace_in_memory(std::string_view bytes, const std::string& name = "memory");

}  // namespace steward::trace
