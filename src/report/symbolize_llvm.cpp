// llvm-symbolizer as a subprocess kept open: one question a line, one JSON object a line back.
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/symbolize.h"

extern char** environ;

namespace steward::report {

namespace {

using nlohmann::json;

// Reading a gigabyte of debug information takes a while; a hung network file system takes longer.
constexpr int kPatienceMs = 120'000;

class Subprocess {
 public:
  ~Subprocess() { stop(); }

  bool start(const std::string& program) {
    // A socket, as a write to one whose reader is gone can be told not to raise SIGPIPE.
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // A process group of its own: the interrupt key is for the target, and what it did until then
    // has yet to be symbolised. No signal that is blocked here is blocked there.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    std::string words[] = {program, "--output-style=JSON", "--inlines", "--demangle"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
    const int error = ::posix_spawn(&pid_, program.c_str(), &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(fds[1]);
    fd_ = fds[0];
    if (error != 0) {
      pid_ = -1;
      stop();
    }
    return error == 0;
  }

  void stop() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);  // it holds nothing that could be lost
      while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    pid_ = -1;
    received_.clear();
  }

  bool running() const { return fd_ >= 0; }

  // Nothing: it is gone, or does not answer.
  std::optional<std::string> ask(const std::string& line) {
    if (!running() || !send(line)) return std::nullopt;
    std::string answer;
    std::size_t end = 0;
    while ((end = received_.find('\n')) == std::string::npos) {
      pollfd wait{fd_, POLLIN, 0};
      const int ready = ::poll(&wait, 1, kPatienceMs);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return std::nullopt;
      char buffer[16384];
      const ssize_t n = ::read(fd_, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return std::nullopt;
      received_.append(buffer, static_cast<std::size_t>(n));
    }
    answer = received_.substr(0, end);
    received_.erase(0, end + 1);
    return answer;
  }

 private:
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  pid_t pid_ = -1;
  int fd_ = -1;
  std::string received_;
};

std::string text_of(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

unsigned number_of(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number_unsigned() ? it->get<unsigned>() : 0;
}

// "0x12"
std::uint64_t hex_of(const json& object, const char* key) {
  const std::string text = text_of(object, key);
  std::uint64_t value = 0;
  if (text.size() > 2) std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return value;
}

class LlvmSymbolizer final : public Symbolizer {
 public:
  explicit LlvmSymbolizer(std::string program) : program_(std::move(program)) {}

  bool start() { return process_.start(program_); }

  std::vector<SourceFrame> code(const std::string& path, Address address) override {
    std::vector<SourceFrame> frames;
    const json answer = ask("CODE", path, address);
    const auto symbols = answer.find("Symbol");
    if (symbols == answer.end() || !symbols->is_array()) return frames;
    for (const json& symbol : *symbols) {
      if (!symbol.is_object()) continue;
      SourceFrame frame{text_of(symbol, "FunctionName"), text_of(symbol, "FileName"),
                        number_of(symbol, "Line"), number_of(symbol, "Column"),
                        number_of(symbol, "StartLine")};
      if (!frame.function.empty() || !frame.file.empty()) frames.push_back(std::move(frame));
    }
    return frames;
  }

  std::optional<DataSymbol> data(const std::string& path, Address address) override {
    const json answer = ask("DATA", path, address);
    const auto found = answer.find("Data");
    if (found == answer.end() || !found->is_object()) return std::nullopt;
    DataSymbol symbol{text_of(*found, "Name"), hex_of(*found, "Start"), hex_of(*found, "Size"),
                      text_of(*found, "DeclFile"), number_of(*found, "DeclLine")};
    if (symbol.name.empty()) return std::nullopt;
    return symbol;
  }

  bool alive() const override { return process_.running(); }

 private:
  json ask(const char* command, const std::string& path, Address address) {
    // Its quoting knows no escapes.
    const bool single = path.find('"') != std::string::npos;
    if (path.find('\n') != std::string::npos || (single && path.find('\'') != std::string::npos)) {
      return json::object();
    }
    const std::string line =
        fmt::format("{0} {1}{2}{1} {3:#x}\n", command, single ? '\'' : '"', path, address);
    auto answer = process_.ask(line);
    if (!answer) {
      // One that crashed on this question may be well for the others.
      process_.stop();
      if (restarted_) return json::object();
      restarted_ = true;
      if (!start() || !(answer = process_.ask(line))) {
        process_.stop();
        return json::object();
      }
    }
    json value = json::parse(*answer, nullptr, /*allow_exceptions=*/false);
    return value.is_object() ? value : json::object();
  }

  std::string program_;
  Subprocess process_;
  bool restarted_ = false;
};

}  // namespace

std::unique_ptr<Symbolizer> open_llvm_symbolizer(const std::string& program) {
  auto symbolizer = std::make_unique<LlvmSymbolizer>(program);
  if (!symbolizer->start()) return nullptr;
  return symbolizer;
}

}  // namespace steward::report
