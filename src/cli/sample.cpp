#include "cli/sample.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/rate.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp =
    R"(Change the sampling rate of a program that runs under 'steward run --sample'.

The program takes up the new rate within one sampling period (5 ms). Only its user and root may ask.)";

struct Arguments {
  int pid = 0;
  std::string rate;
};

class Socket {
 public:
  Socket() : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// The program's socket has its process number in its name (runtime/sample/control.cpp).
socklen_t address_of(int pid, sockaddr_un& to) {
  to = {};
  to.sun_family = AF_UNIX;
  const std::string name = fmt::format("steward-sample-{}", pid);
  std::memcpy(to.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

// The program's answer, or why there is none.
std::string ask(int pid, double rate, bool& done) {
  const Socket socket;
  sockaddr_un self{};
  self.sun_family = AF_UNIX;
  sockaddr_un to;
  const socklen_t size = address_of(pid, to);
  const std::string text = fmt::format("{:.9f}", rate);
  if (socket.fd() < 0 ||
      bind(socket.fd(), reinterpret_cast<sockaddr*>(&self), sizeof(sa_family_t)) != 0) {
    return std::strerror(errno);
  }
  if (sendto(socket.fd(), text.data(), text.size(), 0, reinterpret_cast<sockaddr*>(&to), size) < 0) {
    if (errno != ECONNREFUSED && errno != ENOENT) return std::strerror(errno);
    if (kill(pid, 0) != 0 && errno == ESRCH) return "there is no such process";
    return "it does not listen: it was not started with 'steward run --sample' at less than 100%, "
           "or has had one thread only so far";
  }
  pollfd wait{socket.fd(), POLLIN, 0};
  if (poll(&wait, 1, 2000) != 1) return "no answer within two seconds (another user's process?)";
  char answer[64] = {};
  if (recv(socket.fd(), answer, sizeof answer - 1, 0) < 0) return std::strerror(errno);
  done = std::strcmp(answer, "ok") == 0;
  return answer;
}

int run(const Arguments& a) {
  const std::optional<double> rate = rate_named(a.rate);
  if (!rate) {
    fmt::print(stderr, "steward sample: '{}' is no sampling rate; say 0% to 100%, or 0 to 1\n",
               a.rate);
    return kExitUsage;
  }
  bool done = false;
  const std::string answer = ask(a.pid, *rate, done);
  if (!done) {
    fmt::print(stderr, "steward sample: process {}: {}\n", a.pid, answer);
    return kExitFailed;
  }
  fmt::print("process {} now samples {:g}%\n", a.pid, *rate * 100);
  return kExitOk;
}

}  // namespace

void add_sample(CLI::App& app, int& exit_code) {
  const auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("sample", kHelp);
  command->add_option("PID", a->pid, "the process")->required()->check(CLI::PositiveNumber);
  command->add_option("RATE", a->rate, "0% to 100%")->required();
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace steward::cli
