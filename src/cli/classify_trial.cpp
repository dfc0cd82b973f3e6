#include "cli/classify_trial.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child_words.h"
#include "cli/runtime_library.h"

namespace steward::cli {

namespace fs = std::filesystem;

namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

constexpr std::size_t kErrorKept = 4096;

sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, s);
  return set;
}

}  // namespace

struct Trials::Running {
  const TrialSpec* spec = nullptr;
  pid_t pid = -1;
  std::string folder;
  double begin = 0;
  bool timed_out = false;
};

Trials::Trials(TrialSettings settings) : settings_(std::move(settings)) {}
Trials::~Trials() = default;

std::unique_ptr<Trials::Running> Trials::start(const TrialSpec& spec, bool attached) {
  auto r = std::make_unique<Running>();
  r->spec = &spec;
  r->folder = fmt::format("{}/{}", settings_.folder, count_++);
  fs::create_directory(r->folder);
  std::map<std::string, std::string> changes{{"LD_PRELOAD", library_file(spec.library)},
                                             {"LD_LIBRARY_PATH", spec.library},
                                             {"STEWARD_RECORD", r->folder + "/r"},
                                             {"STEWARD_JUMBLE", ""},
                                             {"STEWARD_OPTIONS", "exitcode=0"}};
  if (const char* old = std::getenv("LD_LIBRARY_PATH"); old != nullptr && *old != '\0') {
    changes["LD_LIBRARY_PATH"] += std::string(":") + old;
  }
  if (!spec.jumble.empty()) {
    const std::string config = r->folder + "/config";
    std::ofstream(config) << spec.jumble << "results " << r->folder << "/j\n";
    changes["STEWARD_JUMBLE"] = config;
  }
  std::vector<std::string> words = settings_.command, variables = environment(changes);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults = watched();
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (!attached) {  // a group of its own: what it starts ends with it, and a key of ours is not its
    flags |= POSIX_SPAWN_SETPGROUP;
    constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, (r->folder + "/out").c_str(), kNew, 0600);
    posix_spawn_file_actions_addopen(&files, 2, (r->folder + "/err").c_str(), kNew, 0600);
  }
  posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  for (const std::string& file : settings_.files) fs::remove(file);
  r->begin = now();
  const int error = ::posix_spawn(&r->pid, settings_.path.c_str(), &files, &attributes,
                                  pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    failure_ = fmt::format("{}: {}", settings_.command[0], std::strerror(error));
    return nullptr;
  }
  return r;
}

Trial Trials::finish(Running& r, int status) {
  Trial t;
  t.seconds = now() - r.begin;
  ::kill(-r.pid, SIGKILL);  // what it left behind
  t.timed_out = r.timed_out;
  if (WIFSIGNALED(status)) {
    t.signal = WTERMSIG(status);
  } else {
    t.exit_code = WEXITSTATUS(status);
  }
  t.output = content(r.folder + "/out");
  t.error = content(r.folder + "/err");
  if (t.error.size() > kErrorKept) t.error.erase(0, t.error.size() - kErrorKept);
  for (const std::string& file : settings_.files) t.files[file] = content(file);
  for (const auto& entry : fs::directory_iterator(r.folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("j.")) {
      const std::string bytes = content(entry.path().string());
      rt::jumble::Results one;
      if (bytes.size() < sizeof one) continue;
      std::memcpy(&one, bytes.data(), sizeof one);
      if (one.magic == rt::jumble::kResultsMagic) t.jumbled.push_back(one);
    } else if (name.starts_with("r.")) {
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) t.records.push_back(std::move(line));
    }
  }
  if (!settings_.check.empty() && !t.timed_out) {
    ::setenv("STEWARD_STDOUT", (r.folder + "/out").c_str(), 1);
    ::setenv("STEWARD_STDERR", (r.folder + "/err").c_str(), 1);
    const int result = std::system(settings_.check.c_str());  // NOLINT: the user's own command
    t.check_passed = WIFEXITED(result) && WEXITSTATUS(result) == 0;
  }
  std::error_code ignored;
  fs::remove_all(r.folder, ignored);
  return t;
}

void Trials::kill_all(std::vector<std::unique_ptr<Running>>& running) {
  for (const auto& r : running) ::kill(-r->pid, SIGKILL);
  for (const auto& r : running) {
    ::waitpid(r->pid, nullptr, 0);
    std::error_code ignored;
    fs::remove_all(r->folder, ignored);
  }
  running.clear();
}

bool Trials::run(const std::vector<TrialSpec>& specs,
                 const std::function<bool(const TrialSpec&, Trial&)>& done) {
  const sigset_t set = watched();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &set, &before);
  std::vector<std::unique_ptr<Running>> running;
  std::size_t next = 0;
  bool interrupted = false, more = true;
  while (more && !interrupted && (next < specs.size() || !running.empty())) {
    while (next < specs.size() && running.size() < settings_.jobs && failure_.empty()) {
      if (auto r = start(specs[next], false)) running.push_back(std::move(r));
      ++next;
    }
    if (!failure_.empty()) break;
    double until = now() + 1;
    for (const auto& r : running) {
      if (r->spec->timeout > 0) until = std::min(until, r->begin + r->spec->timeout);
    }
    const double left = std::max(0.001, until - now());
    const timespec wait{
        static_cast<time_t>(left),
        static_cast<long>((left - static_cast<double>(static_cast<long>(left))) * 1e9)};
    const int signal = sigtimedwait(&set, nullptr, &wait);
    interrupted = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    for (std::size_t i = 0; i < running.size() && !interrupted && more;) {
      Running& r = *running[i];
      if (r.spec->timeout > 0 && !r.timed_out && now() >= r.begin + r.spec->timeout) {
        r.timed_out = true;
        ::kill(-r.pid, SIGKILL);
      }
      int status = 0;
      rusage used{};
      if (::wait4(r.pid, &status, r.timed_out ? 0 : WNOHANG, &used) != r.pid) {
        ++i;
        continue;
      }
      Trial t = finish(r, status);
      t.cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
      const TrialSpec& spec = *r.spec;
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      more = done(spec, t);
    }
  }
  kill_all(running);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return !interrupted;
}

Trial Trials::attached(const TrialSpec& spec) {
  auto r = start(spec, true);
  if (r == nullptr) return {};
  int status = 0;
  while (::waitpid(r->pid, &status, 0) < 0 && errno == EINTR) {
  }
  return finish(*r, status);
}

}  // namespace steward::cli
