#include "cli/run_target.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child_words.h"

namespace steward::cli {

namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr double kLookEvery = 0.05;
constexpr double kPatience = 5;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

class Watch {
 public:
  explicit Watch(const std::string& folder) : fd_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (fd_ >= 0) ::inotify_add_watch(fd_, folder.c_str(), IN_CREATE | IN_MODIFY);
  }
  ~Watch() {
    if (fd_ >= 0) ::close(fd_);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  int fd() const { return fd_; }  // negative: out of watches, and the clock alone must do
  void drain() const {
    char buffer[16384];
    while (fd_ >= 0 && ::read(fd_, buffer, sizeof buffer) > 0) {
    }
  }

 private:
  int fd_;
};

}  // namespace

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

Target::Target() {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGCHLD);
  for (const int signal : kForwarded) sigaddset(&mask, signal);
  sigprocmask(SIG_BLOCK, &mask, &old_mask_);
  signals_ = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

Target::~Target() {
  if (signals_ >= 0) ::close(signals_);
  sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

int Target::start(const std::string& path, const std::vector<std::string>& command,
                  const std::map<std::string, std::string>& changes) {
  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment(changes);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &old_mask_);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = ::posix_spawn(&pid_, path.c_str(), nullptr, &attributes, pointers(words).data(),
                                  pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  return error;
}

bool Target::reap(TargetEnd& end) {
  int status = 0;
  const pid_t got = ::waitpid(pid_, &status, WNOHANG);
  if (got != pid_) return false;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
    end.core_dumped = WCOREDUMP(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return true;
}

void Target::pass_on(int signal, int code) {
  // What a key of the terminal raises, the kernel has sent to the target as well.
  if (signal != SIGCHLD && code != SI_KERNEL) ::kill(pid_, signal);
}

void Target::take_signals() {
  signalfd_siginfo info;
  while (::read(signals_, &info, sizeof info) == sizeof info) {
    pass_on(static_cast<int>(info.ssi_signo), info.ssi_code);
  }
}

void Target::stop() {
  if (stopping_ || pid_ <= 0) return;
  stopping_ = true;
  insist_at_ = now() + kPatience;
  ::kill(pid_, SIGTERM);
}

TargetEnd Target::wait(const std::string& folder, const std::function<void()>& look) {
  TargetEnd end;
  const Watch watch(folder);
  double next_look = 0;
  bool changed = true;
  while (!reap(end)) {
    const double time = now();
    if (stopping_ && time >= insist_at_) ::kill(pid_, SIGKILL);
    if (changed && time >= next_look) {
      watch.drain();
      changed = false;
      look();
      next_look = now() + kLookEvery;
      continue;  // it may have ended in the meantime
    }
    // With news waiting, sleep until the next look; else until there is some.
    const bool listen = !changed && watch.fd() >= 0;
    pollfd fds[] = {{signals_, POLLIN, 0}, {listen ? watch.fd() : -1, POLLIN, 0}};
    int timeout = -1;
    if (changed) timeout = static_cast<int>((next_look - time) * 1000) + 1;
    if (watch.fd() < 0) {
      timeout = static_cast<int>(kLookEvery * 1000);
      changed = true;
    }
    if (stopping_) timeout = timeout < 0 ? 200 : std::min(timeout, 200);
    ::poll(fds, 2, timeout);
    if (fds[0].revents != 0) take_signals();
    if (fds[1].revents != 0) changed = true;
  }
  return end;
}

}  // namespace steward::cli
