#include "cli/convert.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>

#include "trace/reader.h"
#include "trace/writer.h"

namespace steward::cli {

namespace {

using trace::Error;
using trace::Format;

constexpr const char* kHelp = R"(Convert a trace between text and binary.

IN's format is told by its first byte, OUT's by --to, else by its name: .std, .txt and .text are
text, standard output is text, any other name is binary. '-' stands for standard input or output.

A broken IN is converted up to the broken place, which is printed; exit code 1. OUT is written
beside its place and renamed when complete: a failed write leaves an older OUT as it was.)";

struct Options {
  std::string in;
  std::string out;
  std::string to;
};

enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2 };

int complain(ExitCode code, const std::string& line) {
  fmt::print(stderr, "steward convert: {}\n", line);
  return code;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Format format_of(const Options& o) {
  if (!o.to.empty()) return o.to == "text" ? Format::Text : Format::Binary;
  for (const char* extension : {".std", ".txt", ".text"}) {
    if (ends_with(o.out, extension)) return Format::Text;
  }
  return o.out == "-" ? Format::Text : Format::Binary;
}

std::optional<struct stat> status(const std::string& path) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) return std::nullopt;
  return st;
}

bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return false;
  const auto sa = status(a);
  const auto sb = status(b);
  return sa && sb && S_ISREG(sa->st_mode) && sa->st_dev == sb->st_dev && sa->st_ino == sb->st_ino;
}

// Where the converted trace goes. A regular file gets its name only when it is whole.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path) {}
  ~Output() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    if (fd_ >= 0) ::close(fd_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  trace::OpenedSink open() {
    if (path_ == "-") return {trace::sink_to_fd(STDOUT_FILENO, "<stdout>"), std::nullopt};
    const auto st = status(path_);
    if (st && !S_ISREG(st->st_mode)) return trace::open_sink(path_);
    // What a link points to is replaced, not the link.
    target_ = path_;
    char resolved[PATH_MAX];
    if (st && ::realpath(path_.c_str(), resolved)) target_ = resolved;
    std::string name = target_ + ".XXXXXX";
    fd_ = ::mkstemp(name.data());
    if (fd_ < 0) return {nullptr, failure(errno)};
    temporary_ = name;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd_, st ? st->st_mode & 0777 : 0666 & ~mask);
    return {trace::sink_to_fd(fd_, path_), std::nullopt};
  }

  // Gives the file its name. Call when all was written.
  std::optional<Error> keep() {
    if (temporary_.empty()) return std::nullopt;
    const int fd = std::exchange(fd_, -1);
    if (::close(fd) != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
      return failure(errno);
    }
    temporary_.clear();
    return std::nullopt;
  }

 private:
  Error failure(int number) const { return {fmt::format("{}: {}", path_, std::strerror(number))}; }

  std::string path_;
  std::string target_;
  std::string temporary_;  // empty: none to rename or to remove
  int fd_ = -1;
};

// A line on a terminal's standard error, from the first second on.
class Progress {
 public:
  void show(const trace::Reader& reader, std::uint64_t events) {
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    fmt::print(stderr, "\r{:3.0f}% {:.1f} million events", reader.progress() * 100,
               static_cast<double>(events) / 1e6);
    std::fflush(stderr);
  }

  void clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    shown_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

class ThreadCount {
 public:
  void add(ThreadId t) {
    if (t == last_ || t == kAllThreads) return;
    last_ = t;
    seen_.insert(raw(t));
  }
  std::size_t count() const { return seen_.size(); }

 private:
  ThreadId last_ = kAllThreads;
  std::unordered_set<std::uint32_t> seen_;
};

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string counted(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

int convert(const Options& o) {
  const Format format = format_of(o);
  if (same_file(o.in, o.out)) {
    return complain(kUsage, fmt::format("{}: IN and OUT are the same file", o.out));
  }
  if (format == Format::Binary && o.out == "-" && ::isatty(STDOUT_FILENO) == 1) {
    return complain(kUsage, "a binary trace is not for a terminal");
  }
  trace::Opened in = trace::open_trace(o.in);
  if (!in.reader) return complain(kFailed, in.error->message);

  Output output(o.out);
  trace::OpenedSink sink = output.open();
  if (!sink.sink) return complain(kFailed, sink.error->message);
  // A reader of our output that leaves early shows as a failed write.
  std::signal(SIGPIPE, SIG_IGN);
  const auto writer = trace::make_writer(format, std::move(sink.sink), in.reader->names());

  Progress progress;
  ThreadCount threads;
  for (auto batch = in.reader->next(); !batch.empty() && writer->ok(); batch = in.reader->next()) {
    writer->write(batch);
    for (const Event& e : batch) threads.add(e.thread);
    progress.show(*in.reader, writer->events());
  }
  writer->finish();
  progress.clear();
  if (!writer->ok()) return complain(kFailed, writer->error()->message);
  if (const auto failed = output.keep()) return complain(kFailed, failed->message);

  if (in.reader->partial()) complain(kOk, *in.reader->partial());
  if (in.reader->error()) complain(kFailed, in.reader->error()->message);
  fmt::print(stderr, "{}, {}, {} -> {}{}\n", counted(writer->events(), "event"),
             counted(threads.count(), "thread"), bytes_text(in.reader->bytes_read()),
             bytes_text(writer->bytes()),
             in.reader->error() ? ": all before the broken place" : "");
  return in.reader->error() ? kFailed : kOk;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("convert", kHelp);
  command->add_option("IN", options->in, "trace to read, or - for standard input")->required();
  command->add_option("OUT", options->out, "trace to write, or - for standard output")->required();
  command->add_option("--to", options->to, "format of OUT")
      ->check(CLI::IsMember({"text", "binary"}));
  command->callback([options, &exit_code] { exit_code = convert(*options); });
}

}  // namespace steward::cli
