// State for every byte of memory, exact to the byte: what LARD's clear-history and copy-history
// act on.
#pragma once

#include <algorithm>
#include <vector>

#include "core/memory/directory.h"
#include "core/memory/pool_allocator.h"
#include "event/ids.h"

namespace steward {

template <class State, template <class> class Directory>
class ByteMap {
 public:
  explicit ByteMap(Pool& pool) : pool_(&pool), directory_(pool) {}

  Directory<State>& directory() { return directory_; }
  const Directory<State>& directory() const { return directory_; }

  void prefetch(Address address) { directory_.prefetch(address / kGranule); }

  // Asks for memory long before a visit: first for where it is looked up, later for the state. The
  // range is aligned to its size, a power of two.
  void prefetch_lookup(Address address) const { directory_.prefetch_page(address / kGranule); }
  void prefetch_state(Address address, std::uint64_t size) const {
    directory_.prefetch_granules(address / kGranule, size / kGranule);
  }

  // Where the granule of a byte is, or null. It may go with its page.
  const Granule<State>* find(Address address) { return directory_.find(address / kGranule); }

  // f(State&, address, bytes) for each run of bytes in [address, address + size) that shares a
  // state. State is made where there is none.
  template <class F>
  [[gnu::always_inline]] void visit(Address address, std::uint64_t size, F&& f) {
    for_each_granule(address, size, [&](std::uint64_t g, unsigned from, unsigned to) {
      directory_.get(g).visit(*pool_, from, to, [&](State& s, unsigned b, unsigned e) {
        f(s, g * kGranule + b, e - b);
      });
    });
  }

  // The same where there is state; granules left empty are forgotten.
  template <class F>
  void visit_existing(Address address, std::uint64_t size, F&& f) {
    for_each_granule(address, size, [&](std::uint64_t g, unsigned from, unsigned to) {
      Granule<State>* granule = directory_.find(g);
      if (granule == nullptr) return;
      granule->visit(*pool_, from, to,
                     [&](State& s, unsigned b, unsigned e) { f(s, g * kGranule + b, e - b); });
      if (granule->empty()) directory_.erase(g);
    });
  }

  // Both for a range within one page (PagedDirectory), which is looked up once. The second hands out
  // the granules as they are: f(Granule&, its number, first byte, end).
  template <class F>
  void visit_in_page(Address address, std::uint64_t size, F&& f) {
    Granule<State>* const granules = &directory_.get(address / kGranule);
    for_each_granule(address, size, [&](std::uint64_t g, unsigned from, unsigned to) {
      granules[g - address / kGranule].visit(
          *pool_, from, to,
          [&](State& s, unsigned b, unsigned e) { f(s, g * kGranule + b, e - b); });
    });
  }
  // The same granules, made where there are none.
  Granule<State>* granules_in_page(Address address) { return &directory_.get(address / kGranule); }
  template <class F>
  void existing_granules(Address address, std::uint64_t size, F&& f) {
    Granule<State>* const granules = directory_.find(address / kGranule);
    if (granules == nullptr) return;
    for_each_granule(address, size, [&](std::uint64_t g, unsigned from, unsigned to) {
      f(granules[g - address / kGranule], g, from, to);
    });
  }

  // LARD rule 3: memory handed out again has no past.
  void clear(Address address, std::uint64_t size) {
    const Address end = address + size;
    const std::uint64_t first = (address + kGranule - 1) / kGranule;
    const std::uint64_t last = end / kGranule;
    if (first < last) directory_.erase_range(first, last);
    auto clear_part = [&](Address from, Address to) {
      if (from >= to) return;
      visit_existing(from, to - from, [&](State& s, Address, unsigned) {
        s.destroy(*pool_);
        s = State();
      });
    };
    if (first <= last) {
      clear_part(address, std::min(end, first * kGranule));
      clear_part(std::max(address, last * kGranule), end);
    } else {
      clear_part(address, end);
    }
  }

  // LARD rule 4: the history of a moved object goes with it. Ranges may overlap.
  void copy(Address from, Address to, std::uint64_t size) {
    struct Piece {
      std::uint64_t offset;
      unsigned bytes;
      State state;
    };
    std::vector<Piece, PoolAllocator<Piece>> pieces{PoolAllocator<Piece>(*pool_)};
    for_each_granule(from, size, [&](std::uint64_t g, unsigned b, unsigned e) {
      Granule<State>* granule = directory_.find(g);
      if (granule == nullptr) return;
      granule->visit_segments(b, e, [&](const State& s, unsigned sb, unsigned se) {
        if (s.empty()) return;
        sb = std::max(sb, b);
        se = std::min(se, e);
        pieces.push_back({g * kGranule + sb - from, se - sb, s.clone(*pool_)});
      });
    });
    clear(to, size);
    for (Piece& p : pieces) {
      visit(to + p.offset, p.bytes, [&](State& s, Address, unsigned) {
        s.destroy(*pool_);
        s = p.state.clone(*pool_);
      });
      p.state.destroy(*pool_);
    }
  }

 private:
  template <class F>
  [[gnu::always_inline]] static void for_each_granule(Address address, std::uint64_t size, F&& f) {
    while (size != 0) {
      const unsigned from = static_cast<unsigned>(address % kGranule);
      const unsigned to = static_cast<unsigned>(std::min<std::uint64_t>(kGranule, from + size));
      f(address / kGranule, from, to);
      address += to - from;
      size -= to - from;
    }
  }

  Pool* pool_;
  Directory<State> directory_;
};

}  // namespace steward
