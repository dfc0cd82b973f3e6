#include "report/record_files.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace steward::report {

namespace {

constexpr std::size_t kPiece = 256 << 10;
constexpr std::size_t kPieces = 16;  // a turn: other files and the target's end want looking at too

}  // namespace

RecordFile::RecordFile(const std::string& path, const std::string& name)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), error_(fd_ < 0 ? errno : 0), source_(name) {}

RecordFile::~RecordFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool RecordFile::read(Collector& collector, const Listener& listener) {
  if (fd_ < 0) return false;
  bool fresh = false;
  std::string buffer(kPiece, '\0');
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    const ssize_t n = ::read(fd_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    fresh = true;
    lines_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
    while (const auto line = lines_.next()) {
      const News news = collector.take(source_, *line);
      if (news.race != nullptr || news.message != nullptr) listener(news);
    }
  }
  return fresh;
}

void RecordFile::close(Collector& collector) {
  collector.close(source_, lines_.rest());
}

bool RecordFolder::read(Collector& collector, const RecordFile::Listener& listener) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("r.")) files_.try_emplace(name, entry.path().string(), name);
  }
  bool fresh = false;
  for (auto& [name, file] : files_) fresh = file.read(collector, listener) || fresh;
  return fresh;
}

void RecordFolder::close(Collector& collector) {
  for (auto& [name, file] : files_) file.close(collector);
}

}  // namespace steward::report
