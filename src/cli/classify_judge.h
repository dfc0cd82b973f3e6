// Is a run wrong? Compared with runs in which nothing was jumbled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/classify_trial.h"

namespace steward::cli {

enum class HarmKind : unsigned char { Crash, Abort, Hang, ExitCode, Output, File, Check };

struct Harm {
  HarmKind kind{};
  std::string text;  // "crash: SIGSEGV"
};

class Baseline {
 public:
  void add(const Trial& t);

  std::size_t runs() const { return trials_.size(); }
  double slowest() const { return slowest_; }
  double mean_cpu() const { return cpu_ / static_cast<double>(trials_.size()); }
  bool same_end() const { return same_end_; }
  bool same_output() const { return same_output_; }
  const std::vector<std::string>& changing_files() const { return changing_files_; }
  // What is not the same in all of them, or wrong already; one line each.
  std::vector<std::string> remarks() const;
  // Nothing can be concluded: the program goes wrong by itself.
  std::optional<std::string> broken() const;

  // What is wrong with a run; only what was the same in all baseline runs is compared.
  std::optional<Harm> judge(const Trial& t) const;

 private:
  std::vector<Trial> trials_;
  double slowest_ = 0, cpu_ = 0;
  bool same_end_ = true;
  bool same_output_ = true;
  std::vector<std::string> changing_files_;
};

}  // namespace steward::cli
