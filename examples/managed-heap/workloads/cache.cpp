// A table under one lock. Entries are found under it; their hits are counted outside, and old ones
// are replaced by new.
#include "workloads.h"

namespace managed {
namespace {

constexpr unsigned kThreads = 3, kEntries = 16;
constexpr std::size_t kTable = 0;
const Type kTableType{"Entry[]", Type::kAll};
const Type kEntry{"Entry", 0};
enum EntryField { kKey, kValue, kHits };

}  // namespace

void cache_racy(Mutator& m, unsigned rounds) {
  Handle table(m);
  make(m, table, kTableType, kEntries);
  put_static(m, kTable, table);
  world::Lock lock("cache");
  in_threads(m, kThreads, [&lock, rounds](Mutator& mine, unsigned t) {
    Handle here(mine), entry(mine), fresh(mine);
    for (unsigned i = 0; i < rounds; ++i) {
      const unsigned key = (i * 7 + t) % kEntries;
      make(mine, fresh, kEntry, 5);
      put(fresh, kKey, key);
      put(fresh, kValue, i);
      get_static(mine, here, kTable);
      {
        const Locked locked(mine, lock);
        get_reference(entry, here, key);
        if (!entry || get(entry, kValue) + 40 < i) {
          put_reference(here, key, fresh);
          entry.set(fresh.get());
        }
      }
      put(entry, kHits, get(entry, kHits) + 1);  // RACE: outside the lock
      mine.poll();
    }
  });
}

}  // namespace managed
