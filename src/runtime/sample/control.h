// How a running program is told another rate: a datagram to a socket that bears its process number,
// from the same user or root (`steward sample`), or a call from within.
#pragma once

namespace steward::rt {

class Control {
 public:
  Control();
  // Sleeps that long; the new rate if one came, else negative.
  double wait(unsigned microseconds);

 private:
  int socket_ = -1;
};

// From within the program.
void ask_for_rate(double rate);

}  // namespace steward::rt
