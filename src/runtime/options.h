// What the runtime itself is told, by STEWARD_OPTIONS ("key=value:key=value") and the environment.
// The reporter's options are not read here. docs/run.md lists them all.
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

struct Options {
  int exitcode = 66;           // of a program that would exit with 0 but had races
  bool halt_on_error = false;  // stop at the first race
  bool report_atomic_races = true;
  unsigned history_log2 = 16;     // words of history a thread (history_size adds to it)
  double sample = 1;              // PACER's rate
  std::uint64_t sample_seed = 0;  // 0: another one each time
  unsigned sample_period_us = 5000;
  std::uint32_t burst = 10;  // LiteRace's
  enum class Barrier { Read, Write };
  Barrier lockset_barrier = Barrier::Read;
  std::uint32_t lockset_block = 0;  // bytes of a sub-block; 0: blocks are not divided
  char lockset_exclude[512] = {};   // names of threads, separated by '|'
  char unseen[512] = {};            // beginnings of libraries' names, likewise
  char record[4096] = {};           // STEWARD_RECORD; empty: a file of our own
};
const Options& options();

void read_options();
// "0.03" or "3%"; negative if it is neither.
double rate_of(const char* text);

// A variable of this process's environment as it was at exec; valid before libc is set up. Copied
// into `to`; false if there is none.
bool environment(const char* name, char* to, std::size_t size);

}  // namespace steward::rt
