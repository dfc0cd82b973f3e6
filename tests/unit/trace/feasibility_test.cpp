#include "trace/feasibility.h"

#include "trace_support.h"

namespace steward::trace {
namespace {

// The first complaint about a text trace, or "".
std::string verdict(const std::string& text) {
  const ReadBack in = read_all(text);
  EXPECT_EQ(in.error, "") << text;
  if (!in.reader) return "cannot be read";
  Feasibility feasibility(in.reader->names());
  for (const Event& e : in.events) {
    if (const auto complaint = feasibility.check(e)) return *complaint;
  }
  return "";
}

struct Case {
  const char* trace;
  const char* complaint;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(verdict(c.trace), c.complaint) << c.trace;
}

TEST(Feasibility, Locks) {
  check({
      {"T0|acq(L)\nT0|rel(L)\nT1|acq(L)\nT1|rel(L)", ""},
      {"T0|acq(L)\nT0|acq(L)\nT0|rel(L)\nT0|rel(L)\nT1|acq(L)", ""},
      {"T0|acq(L)\nT1|acq(M)\nT0|acq(M)", "T0 acquires M, which T1 holds"},
      {"T0|acq(L)\nT0|acq(L)\nT0|rel(L)\nT1|acq(L)", "T1 acquires L, which T0 holds"},
      {"T0|rel(L)", "T0 releases L, which it does not hold"},
      {"T0|relm(L)", "T0 releases L, which it does not hold"},
      {"T0|acq(L)\nT1|rel(L)", "T1 releases L, which it does not hold"},
      {"T0|acq(L)\nT0|rel(L)\nT0|rel(L)", "T0 releases L, which it does not hold"},
      {"main|acq(0x10)\nmain|rel(0x20)", "main releases 0x20, which it does not hold"},
      {"T0|sys:rel(L)\nT0|acq(L)\nT1|sys:acq(L)", ""},
      {"T0|vr(X)\nT1|vr(X)\nT1|vw(X)\nT0|vs(X)", ""},
  });
}

TEST(Feasibility, SharedLocks) {
  check({
      {"T0|racq(L)\nT1|racq(L)\nT0|rrel(L)\nT1|rrels(L)\nT2|acq(L)", ""},
      {"T0|racq(L)\nT0|racq(L)\nT0|rrel(L)\nT0|rrel(L)\nT1|acq(L)", ""},
      {"T0|racq(L)\nT0|acq(L)\nT0|rel(L)\nT0|rrel(L)", ""},
      {"T0|acq(L)\nT0|racq(L)\nT0|rel(L)\nT1|racq(L)", ""},
      {"T0|racq(L)\nT1|acq(L)", "T1 acquires L, which T0 holds for reading"},
      {"T0|acq(L)\nT1|racq(L)", "T1 acquires L for reading, which T0 holds"},
      {"T0|racq(L)\nT0|racq(L)\nT0|rrel(L)\nT1|acq(L)",
       "T1 acquires L, which T0 holds for reading"},
      {"T0|racq(L)\nT1|racq(L)\nT0|acq(L)", "T0 acquires L, which T1 holds for reading"},
      {"T0|racq(L)\nT1|rrel(L)", "T1 releases L, which it does not hold for reading"},
      {"T0|rrel(L)", "T0 releases L, which it does not hold for reading"},
      {"T0|acq(L)\nT0|rrel(L)", "T0 releases L, which it does not hold for reading"},
      {"T0|racq(L)\nT0|rel(L)", "T0 releases L, which it does not hold"},
  });
}

TEST(Feasibility, Threads) {
  check({
      {"T0|fork(T1)\nT1|w(V)\nT1|end\nT0|join(T1)\nT0|r(V)\nT0|end", ""},
      {"T0|w(V)\nT1|w(V)\nT0|join(T1)", ""},
      {"T0|fork(T1)\nT0|join(T1)", ""},
      {"T0|fork(T0)", "T0 forks itself"},
      {"T0|fork(T1)\nT0|fork(T1)", "T0 forks T1, which was already forked"},
      {"T1|w(V)\nT0|fork(T1)", "T0 forks T1, which already runs"},
      {"T1|end\nT0|fork(T1)", "T0 forks T1, which has ended"},
      {"T0|fork(T1)\nT0|join(T1)\nT0|fork(T1)", "T0 forks T1, which was joined"},
      {"T0|join(T0)", "T0 joins itself"},
      {"T0|join(T1)", "T0 joins T1, which never existed"},
      {"T0|fork(T1)\nT0|join(T1)\nT0|join(T1)", "T0 joins T1, which was already joined"},
      {"T1|w(V)\nT0|join(T1)\nT1|w(V)", "T1 acts after it was joined"},
      {"T1|w(V)\nT1|w(V)\nT1|end\nT1|w(V)", "T1 acts after its end"},
      {"T1|end\nT1|end", "T1 acts after its end"},
      {"T1|end\nT1|sys:r(V)", "T1 acts after its end"},
      {"worker|end\nworker|instr(5)", "worker acts after its end"},
      {"T100000|end\nT0|join(T100000)\nT0|join(T100000)",
       "T0 joins T100000, which was already joined"},
  });
}

TEST(Feasibility, LanguageThreads) {
  check({
      // A lock taken on one low-level thread may be released on another: the language thread
      // counts.
      {"T9|switch(T1)\nT9|acq(L)\nT8|switch(T1)\nT8|rel(L)", ""},
      {"T9|acq(L)\nT9|switch(T1)\nT9|rel(L)", "T1 releases L, which it does not hold"},
      {"T9|switch(T1)\nT9|acq(L)\nT9|switch(T2)\nT9|acq(L)", "T2 acquires L, which T1 holds"},
      {"T9|switch(T1)\nT9|end\nT9|switch(T2)\nT9|w(V)", ""},
      {"T9|switch(T1)\nT9|w(V)\nT9|end\nT9|w(V)", "T1 acts after its end"},
      {"T9|switch(T1)\nT9|end\nT8|switch(T1)", "T8 switches to T1, which has ended"},
      {"T0|fork(T1)\nT0|join(T1)\nT8|switch(T1)", "T8 switches to T1, which was joined"},
      {"T9|switch(T1)\nT9|fork(T1)", "T1 forks itself"},
      {"T9|switch(T1)\nT9|switch(T9)\nT9|end\nT9|w(V)", "T9 acts after its end"},
  });
}

TEST(Feasibility, CallsSamplesAndMoves) {
  check({
      {"T0|enter(f)\nT0|enter(g)\nT1|enter(f)\nT0|exit(g)\nT0|exit(f)\nT1|exit(f)", ""},
      {"T0|exit(f)", "T0 exits f, which it did not enter"},
      {"T0|enter(f)\nT1|exit(f)", "T1 exits f, which it did not enter"},
      {"T0|enter(f)\nT0|enter(g)\nT0|exit(f)", "T0 exits f while it is in g"},
      {"*|sbegin\n*|send\n*|sbegin\nT0|sbegin\nT1|sbegin\nT0|send", ""},
      {"*|sbegin\n*|sbegin", "* begins a sampling period inside another"},
      {"*|send", "* ends a sampling period that did not begin"},
      {"T0|sbegin\nT0|sbegin", "T0 begins a sampling period inside another"},
      {"T0|sbegin\nT1|send", "T1 ends a sampling period that did not begin"},
      {"T0|move(0x10,0x20,16)\nT0|move(0x20,0x10,16)", ""},
      {"T0|move(0x10,0x20,0)", "T0 moves no bytes"},
      {"T0|move(0x10,0x20,17)", "T0 moves 17 bytes from 0x10 to 0x20, which overlap"},
      {"T0|move(0x20,0x18,16)", "T0 moves 16 bytes from 0x20 to 0x18, which overlap"},
      {"T0|free(0x10,8)\nT0|free(0x10,8)\nT0|alloc(0x10,8)\nT0|ldref(V,0)\nT0|instr(3)", ""},
  });
}

TEST(Feasibility, ARefusedEventChangesNothing) {
  const Names names;
  Feasibility f(names);
  const Event release{.kind = EventKind::Release, .thread = ThreadId{1}, .address = 1};
  EXPECT_TRUE(f.check(release));
  // T1 has not acted, so it may still be forked.
  EXPECT_FALSE(f.check({.kind = EventKind::Fork, .thread = ThreadId{0}, .target = 1}));
  EXPECT_TRUE(f.check(release));
  EXPECT_FALSE(f.check({.kind = EventKind::Acquire, .thread = ThreadId{1}, .address = 1}));
  EXPECT_FALSE(f.check(release));
}

}  // namespace
}  // namespace steward::trace
