// Where a granule's state is found. Two answers to the same questions:
// PagedDirectory for detectors that keep state for nearly all memory, HashDirectory for those that
// keep it for little.
#pragma once

#include <array>

#include "core/memory/flat_map.h"
#include "core/memory/granule.h"
#include "core/memory/prefetch.h"

namespace steward {

// Of 2^PageBits granules: 512 bytes of the program, if nothing else is said.
template <class State, unsigned PageBits = 6>
class PagedDirectory {
  static constexpr unsigned kPageBits = PageBits;
  static constexpr std::uint64_t kPageSize = 1u << kPageBits;
  struct Page {
    Granule<State> granules[kPageSize];
  };

 public:
  explicit PagedDirectory(Pool& pool) : pool_(&pool), pages_(pool) {}
  ~PagedDirectory() {
    pages_.for_each([&](std::uint64_t, Page* p) { drop(p); });
  }

  Granule<State>* find(std::uint64_t g) {
    const std::uint64_t number = g >> kPageBits;
    Near& near = near_[number % kNear];
    if (near.number != number && !find_page(number, near)) return nullptr;
    return &near.page->granules[g & (kPageSize - 1)];
  }

  Granule<State>& get(std::uint64_t g) {
    const std::uint64_t number = g >> kPageBits;
    Near& near = near_[number % kNear];
    if (near.number != number) make_page(number, near);
    return near.page->granules[g & (kPageSize - 1)];
  }

  // Soon get(g) will be asked.
  void prefetch(std::uint64_t g) {
    if (const Granule<State>* found = find(g)) prefetch_line(found);
  }

  // In two steps, for who knows long before: where the page is looked up, then `count` granules of
  // one page.
  void prefetch_page(std::uint64_t g) const { pages_.prefetch(g >> kPageBits); }
  void prefetch_granules(std::uint64_t g, std::uint64_t count) const {
    Page* const* page = pages_.find(g >> kPageBits);
    if (page == nullptr) return;
    const auto* first = reinterpret_cast<const char*>(&(*page)->granules[g & (kPageSize - 1)]);
    const std::uint64_t bytes = count * sizeof(Granule<State>);
    for (std::uint64_t at = 0; at < bytes; at += 64) prefetch_line(first + at);
    prefetch_line(first + bytes - 1);
  }

  void erase(std::uint64_t g) {
    if (Granule<State>* found = find(g)) found->reset(*pool_);
  }

  // Forgets the granules [from, to).
  void erase_range(std::uint64_t from, std::uint64_t to) {
    auto erase_part = [&](std::uint64_t number, Page* page) {
      const std::uint64_t base = number << kPageBits;
      if (from <= base && base + kPageSize <= to) {
        near_[number % kNear] = {};
        drop(page);
        return true;
      }
      for (std::uint64_t i = 0; i < kPageSize; ++i) {
        if (base + i >= from && base + i < to) page->granules[i].reset(*pool_);
      }
      // A small page is easily found empty.
      if (kPageBits > 3) return false;
      for (const Granule<State>& g : page->granules) {
        if (!g.empty()) return false;
      }
      near_[number % kNear] = {};
      drop(page);
      return true;
    };
    const std::uint64_t first = from >> kPageBits;
    const std::uint64_t last = (to + kPageSize - 1) >> kPageBits;
    if (last - first <= pages_.size()) {
      for (std::uint64_t n = first; n < last; ++n) {
        Page** p = pages_.find(n);
        if (p != nullptr && erase_part(n, *p)) pages_.erase(n);
      }
      return;
    }
    // A range wider than all there is: walk what there is.
    FlatMap<std::uint64_t, Page*> kept(*pool_);
    pages_.for_each([&](std::uint64_t n, Page* p) {
      if (n < first || n >= last || !erase_part(n, p)) kept.get(n) = p;
    });
    pages_.clear();
    kept.for_each([&](std::uint64_t n, Page* p) { pages_.get(n) = p; });
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kNear = 256;
  struct Near {
    std::uint64_t number = kNone;
    Page* page = nullptr;
  };

  [[gnu::noinline]] bool find_page(std::uint64_t number, Near& near) {
    Page** p = pages_.find(number);
    if (p != nullptr) near = {number, *p};
    return p != nullptr;
  }
  [[gnu::noinline]] void make_page(std::uint64_t number, Near& near) {
    Page*& p = pages_.get(number, nullptr);
    if (p == nullptr) p = pool_->make<Page>();
    near = {number, p};
  }
  void drop(Page* page) {
    for (auto& g : page->granules) g.reset(*pool_);
    pool_->destroy(page);
  }

  Pool* pool_;
  FlatMap<std::uint64_t, Page*> pages_;
  // A direct-mapped cache of pages: 4 KB that stay in the first-level cache, against a probe of a
  // table that does not. It answers 9 lookups of 10.
  std::array<Near, kNear> near_{};
};

template <class State>
class HashDirectory {
 public:
  explicit HashDirectory(Pool& pool) : pool_(&pool), granules_(pool) {}
  ~HashDirectory() {
    granules_.for_each([&](std::uint64_t, Granule<State>* g) { drop(g); });
  }

  bool empty() const { return granules_.empty(); }
  std::size_t size() const { return granules_.size(); }

  Granule<State>* find(std::uint64_t g) {
    Granule<State>** found = granules_.find(g);
    return found == nullptr ? nullptr : *found;
  }
  Granule<State>& get(std::uint64_t g) {
    Granule<State>*& p = granules_.get(g, nullptr);
    if (p == nullptr) p = pool_->make<Granule<State>>();
    return *p;
  }
  void prefetch(std::uint64_t g) const { granules_.prefetch(g); }
  void erase(std::uint64_t g) {
    Granule<State>** found = granules_.find(g);
    if (found == nullptr) return;
    drop(*found);
    granules_.erase(g);
  }
  void erase_range(std::uint64_t from, std::uint64_t to) {
    if (to - from <= granules_.size()) {
      for (std::uint64_t g = from; g < to; ++g) erase(g);
      return;
    }
    FlatMap<std::uint64_t, Granule<State>*> kept(*pool_);
    granules_.for_each([&](std::uint64_t g, Granule<State>* p) {
      if (g < from || g >= to) {
        kept.get(g) = p;
      } else {
        drop(p);
      }
    });
    granules_.clear();
    kept.for_each([&](std::uint64_t g, Granule<State>* p) { granules_.get(g) = p; });
  }

 private:
  void drop(Granule<State>* g) {
    g->reset(*pool_);
    pool_->destroy(g);
  }

  Pool* pool_;
  FlatMap<std::uint64_t, Granule<State>*> granules_;
};

}  // namespace steward
