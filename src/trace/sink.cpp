#include "trace/sink.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace steward::trace {

namespace {

class FdSink final : public Sink {
 public:
  FdSink(int fd, bool owned, std::string name) : fd_(fd), owned_(owned), name_(std::move(name)) {}
  ~FdSink() override {
    if (owned_) ::close(fd_);
  }

 protected:
  std::optional<Error> put(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return failure(errno);
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return std::nullopt;
  }

  std::optional<Error> end() override {
    if (!owned_) return std::nullopt;
    owned_ = false;
    if (::close(fd_) != 0) return failure(errno);
    return std::nullopt;
  }

 private:
  Error failure(int number) const {
    return {fmt::format("{}: cannot write: {}", name_, std::strerror(number))};
  }

  int fd_;
  bool owned_;
  std::string name_;
};

class MemorySink final : public Sink {
 public:
  explicit MemorySink(std::string& out) : out_(&out) {}

 protected:
  std::optional<Error> put(std::span<const char> bytes) override {
    out_->append(bytes.data(), bytes.size());
    return std::nullopt;
  }

 private:
  std::string* out_;
};

}  // namespace

void Sink::write(std::span<const char> bytes) {
  if (error_ || bytes.empty()) return;
  error_ = put(bytes);
  if (!error_) bytes_ += bytes.size();
}

void Sink::close() {
  if (closed_) return;
  closed_ = true;
  if (const auto failed = end(); failed && !error_) error_ = failed;
}

OpenedSink open_sink(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return {nullptr, Error{fmt::format("{}: {}", path, std::strerror(errno))}};
  return {std::make_unique<FdSink>(fd, true, path), std::nullopt};
}

std::unique_ptr<Sink> sink_to_fd(int fd, const std::string& name) {
  return std::make_unique<FdSink>(fd, false, name);
}

std::unique_ptr<Sink> sink_to_memory(std::string& out) {
  return std::make_unique<MemorySink>(out);
}

}  // namespace steward::trace
