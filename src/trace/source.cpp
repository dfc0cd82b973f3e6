#include "trace/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace steward::trace {

namespace {

constexpr std::size_t kWindow = 256 * 1024;

class FdSource final : public Source {
 public:
  FdSource(int fd, bool owned, std::uint64_t size) : fd_(fd), owned_(owned), size_(size) {}
  ~FdSource() override {
    if (owned_) ::close(fd_);
  }

  std::ptrdiff_t read(char* to, std::size_t n) override {
    for (;;) {
      const ssize_t got = ::read(fd_, to, n);
      if (got >= 0 || errno != EINTR) return got;
    }
  }

  std::uint64_t size() const override { return size_; }

  bool read_at(std::uint64_t offset, char* to, std::size_t n) override {
    while (n > 0) {
      const ssize_t got = ::pread(fd_, to, n, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      to += got;
      n -= static_cast<std::size_t>(got);
      offset += static_cast<std::uint64_t>(got);
    }
    return true;
  }

 private:
  int fd_;
  bool owned_;
  std::uint64_t size_;
};

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  std::ptrdiff_t read(char* to, std::size_t n) override {
    n = std::min(n, bytes_.size() - at_);
    if (n > 0) std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
    return static_cast<std::ptrdiff_t>(n);
  }

  std::uint64_t size() const override { return bytes_.size(); }

  bool read_at(std::uint64_t offset, char* to, std::size_t n) override {
    if (offset > bytes_.size() || n > bytes_.size() - offset) return false;
    std::memcpy(to, bytes_.data() + offset, n);
    return true;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

Error failure(const std::string& path, int number) {
  return {fmt::format("{}: {}", path, std::strerror(number))};
}

}  // namespace

OpenedSource open_source(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "<stdin>" : path;
  const int fd = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {nullptr, failure(name, errno)};
  struct stat st {};
  if (::fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
    const int number = S_ISDIR(st.st_mode) ? EISDIR : errno;
    if (!standard) ::close(fd);
    return {nullptr, failure(name, number)};
  }
  // Redirected input may stand behind its first byte; then the size tells nothing.
  const bool known = S_ISREG(st.st_mode) && ::lseek(fd, 0, SEEK_CUR) == 0;
  const std::uint64_t size = known ? static_cast<std::uint64_t>(st.st_size) : 0;
  return {std::make_unique<FdSource>(fd, !standard, size), std::nullopt};
}

std::unique_ptr<Source> source_in_memory(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

Input::Input(std::unique_ptr<Source> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)) {
  // A small source needs no large window: tests and fuzzers open many.
  const std::uint64_t size = source_->size();
  buffer_.resize(size == 0 ? kWindow : std::min<std::uint64_t>(kWindow, size + 1));
}

std::string_view Input::fill(std::size_t n) {
  while (end_ - begin_ < n && !at_end_) {
    if (begin_ + n > buffer_.size() || end_ == buffer_.size()) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
      if (n > buffer_.size()) buffer_.resize(std::max(n, buffer_.size() * 2));
    }
    const std::ptrdiff_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0) {
      error_ = Error{
          fmt::format("{}: offset {}: {}", name_, offset_ + end_ - begin_, std::strerror(errno))};
    }
    if (got <= 0) {
      at_end_ = true;
    } else {
      end_ += static_cast<std::size_t>(got);
    }
  }
  return window();
}

void Input::append(char c) {
  if (end_ == buffer_.size()) buffer_.push_back(c);
  buffer_[end_++] = c;
}

}  // namespace steward::trace
