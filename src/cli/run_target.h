// The program under test as a child process: started, its signals passed on, waited for.
#pragma once

#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace steward::cli {

struct TargetEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool core_dumped = false;
};

class Target {
 public:
  Target();
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  // With our environment but for `changes`. What comes back is errno; 0: it runs.
  int start(const std::string& path, const std::vector<std::string>& command,
            const std::map<std::string, std::string>& changes);

  // Until it ends. `look` is called when something in `folder` has changed, at most every so
  // often; it costs the target nothing but the processor's time.
  TargetEnd wait(const std::string& folder, const std::function<void()>& look);

  // Asks it to end, and later insists.
  void stop();

 private:
  void take_signals();
  void pass_on(int signal, int code);
  bool reap(TargetEnd& end);

  pid_t pid_ = -1;
  int signals_ = -1;  // signalfd
  sigset_t old_mask_{};
  bool stopping_ = false;
  double insist_at_ = 0;
};

// "SIGSEGV"
std::string signal_name(int signal);

}  // namespace steward::cli
