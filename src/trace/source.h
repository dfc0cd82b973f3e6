// Where a reader's bytes come from, and a window over them. read(2) and not mmap, so that pipes
// work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/error.h"

namespace steward::trace {

class Source {
 public:
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Bytes read; 0 at the end; -1 with errno set.
  virtual std::ptrdiff_t read(char* to, std::size_t n) = 0;
  // 0: not known, as for a pipe.
  virtual std::uint64_t size() const = 0;
  // All n bytes at `offset`, without moving read()'s place; false when that cannot be done.
  virtual bool read_at(std::uint64_t offset, char* to, std::size_t n) = 0;

 protected:
  Source() = default;
};

// Exactly one of the two is set.
struct OpenedSource {
  std::unique_ptr<Source> source;
  std::optional<Error> error;
};

OpenedSource open_source(const std::string& path);  // "-": standard input
std::unique_ptr<Source> source_in_memory(std::string_view bytes);

// A window that slides over a source and holds only what was asked for.
class Input {
 public:
  Input(std::unique_ptr<Source> source, std::string name);

  // Makes at least `n` bytes available, fewer only at the end or at a read error.
  // Pointers into the window last until the next call.
  std::string_view fill(std::size_t n);
  std::string_view window() const { return {buffer_.data() + begin_, end_ - begin_}; }
  // The same bytes, to be changed in place.
  char* data() { return buffer_.data() + begin_; }
  // Adds a byte that the source lacks behind the window. Only at the end.
  void append(char c);
  void consume(std::size_t n) {
    begin_ += n;
    offset_ += n;
  }

  bool at_end() const { return at_end_; }           // nothing beyond the window
  std::uint64_t offset() const { return offset_; }  // of the window's first byte
  const std::string& name() const { return name_; }
  const std::optional<Error>& error() const { return error_; }
  Source& source() { return *source_; }

 private:
  std::unique_ptr<Source> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  bool at_end_ = false;
  std::optional<Error> error_;
};

}  // namespace steward::trace
