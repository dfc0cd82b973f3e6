// Where a writer's bytes go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "trace/error.h"

namespace steward::trace {

class Sink {
 public:
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // After a failure the sink stays failed and takes nothing more.
  void write(std::span<const char> bytes);
  // Whatever the destination still owes: closing a file can be where a full disk shows.
  void close();

  const std::optional<Error>& error() const { return error_; }
  std::uint64_t bytes() const { return bytes_; }

 protected:
  Sink() = default;
  virtual std::optional<Error> put(std::span<const char> bytes) = 0;
  virtual std::optional<Error> end() { return std::nullopt; }

 private:
  std::optional<Error> error_;
  std::uint64_t bytes_ = 0;
  bool closed_ = false;
};

// Exactly one of the two is set.
struct OpenedSink {
  std::unique_ptr<Sink> sink;
  std::optional<Error> error;
};

// Creates or truncates a file.
OpenedSink open_sink(const std::string& path);
// Writes to a descriptor it does not own and never closes; `name` stands for it in messages. A
// caller that wants EPIPE as a value ignores SIGPIPE.
std::unique_ptr<Sink> sink_to_fd(int fd, const std::string& name);
// Appends to `out`, which must outlive the sink.
std::unique_ptr<Sink> sink_to_memory(std::string& out);

}  // namespace steward::trace
