// C++20's rules for atomic objects ([intro.races], [atomics.order], [atomics.fences]) as axioms
// over one execution: relations as sets of pairs, closed by loops. Modification order and the order
// S of seq_cst operations are the order of the events, which is what the model chooses.
#pragma once

#include <cstddef>
#include <vector>

#include "core/jumble/atomic_buffer.h"

namespace steward::test {

enum class Op : unsigned char { Load, Store, Modify, Fence };

struct AtomicEvent {
  unsigned thread = 0;
  Op op{};
  unsigned object = 0;
  jumble::MemoryOrder order{};
  int reads_from = kInitial;  // of a load or modify: the event that wrote the value

  static constexpr int kInitial = -1;

  bool reads() const { return op == Op::Load || op == Op::Modify; }
  bool writes() const { return op == Op::Store || op == Op::Modify; }
  bool seq_cst() const { return order == jumble::MemoryOrder::SeqCst; }
  bool is_fence() const { return op == Op::Fence; }
};

class Cpp20 {
 public:
  static constexpr std::size_t kMax = 12;

  explicit Cpp20(const std::vector<AtomicEvent>& events) : e_(events), n_(events.size()) {}

  bool consistent() {
    make_happens_before();
    make_coherence_order();
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) {
        if (!cob_[a][b]) continue;
        if (a == b || hb_[b][a]) return false;  // coherence
        if (!seq_cst_order_allows(a, b)) return false;
      }
    }
    return true;
  }

 private:
  using Relation = bool[kMax][kMax];

  void close(Relation& r) {
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) {
        for (std::size_t b = 0; b < n_; ++b) r[a][b] = r[a][b] || (r[a][k] && r[k][b]);
      }
    }
  }

  // The stores whose release sequence the store `w` is in: itself, and while it is a
  // read-modify-write, those of the store before it.
  std::vector<int> heads(int w) const {
    std::vector<int> h;
    for (; w >= 0; w = e_[static_cast<std::size_t>(w)].reads_from) {
      h.push_back(w);
      if (e_[static_cast<std::size_t>(w)].op != Op::Modify) break;
    }
    return h;
  }

  bool sequenced(std::size_t a, std::size_t b) const {
    return a < b && e_[a].thread == e_[b].thread;
  }

  void make_happens_before() {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) hb_[a][b] = sequenced(a, b);
    }
    for (std::size_t r = 0; r < n_; ++r) {
      if (!e_[r].reads()) continue;
      for (const int head : heads(e_[r].reads_from)) {
        const auto h = static_cast<std::size_t>(head);
        for (std::size_t from = 0; from < n_; ++from) {
          const bool releasing = jumble::releases(e_[from].order) &&
                                 (from == h || (e_[from].is_fence() && sequenced(from, h)));
          for (std::size_t to = 0; releasing && to < n_; ++to) {
            if (jumble::acquires(e_[to].order) &&
                (to == r || (e_[to].is_fence() && sequenced(r, to)))) {
              hb_[from][to] = true;
            }
          }
        }
      }
    }
    close(hb_);
  }

  // Coherence-ordered before: modification order, reads-from, and a read before what is written
  // over the value it read.
  void make_coherence_order() {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) {
        cob_[a][b] = false;
        if (a == b || e_[a].is_fence() || e_[b].is_fence() || e_[a].object != e_[b].object) {
          continue;
        }
        const bool mo = e_[a].writes() && e_[b].writes() && a < b;
        const bool rf = e_[b].reads() && e_[b].reads_from == static_cast<int>(a);
        const bool before =
            e_[a].reads() && e_[b].writes() && e_[a].reads_from < static_cast<int>(b);
        cob_[a][b] = mo || rf || before;
      }
    }
    close(cob_);
  }

  // 4.1 to 4.4: what must come first in S, does.
  bool seq_cst_order_allows(std::size_t a, std::size_t b) const {
    for (std::size_t x = 0; x < n_; ++x) {
      if (!first_of(x, a)) continue;
      for (std::size_t y = 0; y < n_; ++y) {
        if (last_of(b, y) && x >= y) return false;
      }
    }
    return true;
  }
  bool first_of(std::size_t x, std::size_t a) const {
    return e_[x].seq_cst() && (x == a || (e_[x].is_fence() && hb_[x][a]));
  }
  bool last_of(std::size_t b, std::size_t y) const {
    return e_[y].seq_cst() && (y == b || (e_[y].is_fence() && hb_[b][y]));
  }

  const std::vector<AtomicEvent>& e_;
  std::size_t n_;
  Relation hb_ = {};
  Relation cob_ = {};
};

}  // namespace steward::test
