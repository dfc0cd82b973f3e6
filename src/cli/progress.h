// How far a long job is: one line on a terminal's standard error, rewritten in place and gone at
// the end. Short jobs and pipes never see it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace steward::cli {

// "43%  12.3M events/s  5 s left"; a fraction of 0 is one not known.
std::string progress_text(double fraction, std::uint64_t events, double seconds);

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double fraction, std::uint64_t events) {
    if (wanted_ && Clock::now() >= next_) draw(fraction, events);
  }
  // Before anything else is written to the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(double fraction, std::uint64_t events);

  bool wanted_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace steward::cli
