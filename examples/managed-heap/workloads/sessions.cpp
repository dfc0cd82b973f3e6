// What most shared tables hold is not shared: each thread registers its session where all could
// find it, and works on it alone.
#include "workloads.h"

namespace managed {
namespace {

constexpr unsigned kThreads = 3, kFields = 8;
constexpr std::size_t kTable = 0;
const Type kTableType{"Session[]", Type::kAll};
const Type kSession{"Session", 1};
const Type kBuffer{"long[]", 0};

}  // namespace

void sessions(Mutator& m, unsigned rounds) {
  Handle table(m);
  make(m, table, kTableType, kThreads);
  put_static(m, kTable, table);
  in_threads(m, kThreads, [rounds](Mutator& mine, unsigned t) {
    Handle all(mine), session(mine), buffer(mine);
    for (unsigned i = 0; i < rounds / 4 + 1; ++i) {
      get_static(mine, all, kTable);
      get_reference(session, all, t);
      if (!session || i % 32 == 0) {
        make(mine, session, kSession, 1 + kFields);
        make(mine, buffer, kBuffer, kFields);
        put_reference(session, 0, buffer);
        get_static(mine, all, kTable);
        put_reference(all, t, session);
      }
      get_reference(buffer, session, 0);
      for (unsigned x = 0; x < kFields; ++x) {
        put(buffer, x, get(buffer, x) + 1);
        put(session, 1 + x, get(session, 1 + x) + get(buffer, x));
      }
      make(mine, buffer, kBuffer, 2 * kFields);  // garbage, so that the collectors have work
      put(buffer, 0, i);
      mine.poll();
    }
  });
}

}  // namespace managed
