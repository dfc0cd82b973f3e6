// Runs of the program, several at a time, each in a folder of its own, with its output kept and its
// time limited.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/jumble/results.h"

namespace steward::cli {

struct TrialSpec {
  std::string library;  // folder of the runtime
  std::string jumble;   // lines for STEWARD_JUMBLE; empty: nothing is jumbled
  double timeout = 0;   // seconds; 0: none
  std::size_t tag = 0;  // the caller's
};

struct Trial {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool timed_out = false;
  double seconds = 0;
  double cpu = 0;                            // seconds of processor time
  std::string output;                        // what it wrote to standard output
  std::string error;                         // the end of what it wrote to standard error
  std::map<std::string, std::string> files;  // those that are compared
  std::optional<bool> check_passed;          // --check
  std::vector<rt::jumble::Results> jumbled;  // one a process
  std::vector<std::string> records;          // lines of raw records
};

struct TrialSettings {
  std::string path;  // of the program
  std::vector<std::string> command;
  std::vector<std::string> files;  // to compare
  std::string check;               // shell command
  std::string folder;              // for the trials'
  unsigned jobs = 1;
};

class Trials {
 public:
  explicit Trials(TrialSettings settings);
  ~Trials();
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // Runs all of them; `done` is called as each ends, in any order, and may say false: no more.
  // What comes back is false if the user has interrupted it.
  bool run(const std::vector<TrialSpec>& specs,
           const std::function<bool(const TrialSpec&, Trial&)>& done);
  // The program once, on our own terminal.
  Trial attached(const TrialSpec& spec);

  // Why a program could not be started; empty: it could.
  const std::string& failure() const { return failure_; }

 private:
  struct Running;
  std::unique_ptr<Running> start(const TrialSpec& spec, bool attached);
  Trial finish(Running& r, int status);
  void kill_all(std::vector<std::unique_ptr<Running>>& running);

  TrialSettings settings_;
  std::string failure_;
  std::size_t count_ = 0;
};

}  // namespace steward::cli
