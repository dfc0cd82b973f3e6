// Races and messages become records.
#pragma once

#include "runtime/shadow/cell.h"

namespace steward::rt {

// A race between this access and the earlier one in `conflict`. Each distinct pair of stacks is
// written once; a flood of the same race costs little. Returns how far the same earlier access goes
// on behind the conflict, 0 if that is not known.
uptr report_race(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                 const LiveConflict& conflict);

// No lock protects both this access and the earlier one: what the lockset tool reports.
struct BrokenDiscipline {
  struct Locks {  // by id; 0 stands for atomicity
    static constexpr unsigned kMax = 8;
    unsigned count = 0;
    std::uint32_t list[kMax];
  };
  bool ordered = false;  // something else orders the two: no happens-before race
  Locks later, earlier;  // that protect either
  Locks common;          // that protected every access before
};
void report_discipline(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                       const LiveConflict& earlier, const BrokenDiscipline& broken);

// Misuse of an interface, or something the user should know. Once for each distinct text.
void message(ThreadState& t, const char* level, const char* text, uptr pc);

std::uint64_t races_reported();
void forget_reports_after_fork();  // the child's are its own
void write_end();                  // the last record, with the statistics

}  // namespace steward::rt
