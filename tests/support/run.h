// Runs a detector over a trace and keeps what it said. Every run adds to the rule coverage.
#pragma once

#include <memory>
#include <vector>

#include "analyze/heap_pages.h"
#include "analyze/random.h"
#include "core/detector/analysis.h"
#include "support/coverage.h"
#include "support/events.h"

namespace steward::test {

struct Found final : RaceSink {
  void race(const Race& r) override { races.push_back(r); }
  std::vector<Race> races;
};

inline std::size_t first_event(const Race& r) { return raw(r.first.site) - 1; }
inline std::size_t second_event(const Race& r) { return raw(r.second.site) - 1; }

// Chunks that go back to a list instead of the heap: exhaustive tests make millions of pools.
class RecycledPages final : public PageSource {
 public:
  ~RecycledPages() {
    for (auto& [bytes, list] : free_) {
      for (void* p : list) ::operator delete(p);
    }
  }
  void* map(std::size_t bytes) override {
    auto& list = free_[bytes];
    if (list.empty()) return ::operator new(bytes);
    void* p = list.back();
    list.pop_back();
    return p;
  }
  void unmap(void* p, std::size_t bytes) override { free_[bytes].push_back(p); }

 private:
  std::map<std::size_t, std::vector<void*>> free_;
};

template <class Algorithm, class... Args>
std::vector<Race> run(const Trace& trace, Args&&... args) {
  analyze::HeapPages pages;
  Pool pool(pages);
  Found found;
  {
    Analysis<Algorithm> analysis(pool, LardRules{}, std::forward<Args>(args)...);
    analysis.process(trace, found);
    cover<Algorithm>(analysis);
  }
  if (pool.in_use() != 0) throw std::logic_error("a detector leaked its state");
  return found.races;
}

}  // namespace steward::test
