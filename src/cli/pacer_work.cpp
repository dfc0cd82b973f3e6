#include "cli/pacer_work.h"

#include <cstring>
#include <initializer_list>

#include "cli/numbers.h"
#include "cli/table.h"
#include "core/pacer/order.h"

namespace steward::cli {

namespace {

using pacer::OrderRule;

class Counters {
 public:
  explicit Counters(const std::vector<Stat>& list) : list_(&list) {}

  void add(std::uint64_t (&to)[2], const char* name) const {
    for (const Stat& s : *list_) {
      if (std::strcmp(s.name, name) != 0) continue;
      to[0] += s.outside;
      to[1] += s.sampling;
    }
  }

  SlowFast of(std::initializer_list<OrderRule> slow, std::initializer_list<OrderRule> fast) const {
    SlowFast w;
    for (const OrderRule r : slow) add(w.slow, pacer::name(r));
    for (const OrderRule r : fast) add(w.fast, pacer::name(r));
    return w;
  }
  SlowFast of(const char* slow, const char* fast) const {
    SlowFast w;
    add(w.slow, slow);
    add(w.fast, fast);
    return w;
  }

 private:
  const std::vector<Stat>* list_;
};

bool is_counted(const SlowFast& w) {
  return w.slow[0] + w.slow[1] + w.fast[0] + w.fast[1] != 0;
}

void add_row(Table& table, const char* label, const SlowFast& w) {
  table.row({label, grouped(w.slow[1]), grouped(w.fast[1]), grouped(w.slow[0]), grouped(w.fast[0]),
             percent(w.fast_share_outside())});
}

}  // namespace

void SlowFast::operator+=(const SlowFast& o) {
  for (unsigned i = 0; i < 2; ++i) {
    slow[i] += o.slow[i];
    fast[i] += o.fast[i];
  }
}

double SlowFast::fast_share_outside() const {
  return share(fast[0], slow[0] + fast[0]);
}

SlowFast PacerWork::all_joins() const {
  SlowFast sum = joins;
  sum += volatile_writes;
  return sum;
}

double PacerWork::fast_clock_share_outside() const {
  SlowFast sum = all_joins();
  sum += copies;
  return sum.fast_share_outside();
}

PacerWork pacer_work(const std::vector<Stat>& counters) {
  const Counters c(counters);
  PacerWork w;
  w.joins = c.of({OrderRule::JoinHappensBefore, OrderRule::JoinConcurrent},
                 {OrderRule::JoinSameVersionEpoch});
  w.volatile_writes = c.of({OrderRule::VolatileHappensBefore, OrderRule::VolatileConcurrent},
                           {OrderRule::VolatileSameVersionEpoch});
  w.copies = c.of({OrderRule::CopyDeep}, {OrderRule::CopyShallow});
  w.reads = c.of("reads, slow path", "reads, fast path");
  w.writes = c.of("writes, slow path", "writes, fast path");
  return w;
}

std::string pacer_table(const PacerWork& work) {
  Table t;
  t.row({"", "sampling", "sampling", "not sampling", "not sampling", "fast when"});
  t.row({"", "slow/deep", "fast/shallow", "slow/deep", "fast/shallow", "not sampling"});
  add_row(t, "VC joins", work.all_joins());
  add_row(t, "  into threads (7.4-7.6)", work.joins);
  add_row(t, "  into volatiles (7.7-7.9)", work.volatile_writes);
  add_row(t, "VC copies", work.copies);
  t.row({"VC joins and copies", "", "", "", "", percent(work.fast_clock_share_outside())});
  if (is_counted(work.reads) || is_counted(work.writes)) {
    add_row(t, "reads", work.reads);
    add_row(t, "writes", work.writes);
  }
  return t.text(2);
}

}  // namespace steward::cli
