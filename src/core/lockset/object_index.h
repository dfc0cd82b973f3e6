// Which object holds an address: by pages of the program, in each the objects that begin there, in
// order, and the one that reaches into it from before. An object is asked for at every access, and
// a page is a look into one table and a search among few.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/memory/flat_map.h"
#include "core/memory/pool_allocator.h"
#include "event/ids.h"

namespace steward::lockset {

// T: has `begin`, `end()` and `holds(address)`. Objects do not overlap.
template <class T>
class ObjectIndex {
 public:
  explicit ObjectIndex(Pool& pool) : pool_(&pool), pages_(pool) {}
  ~ObjectIndex() {
    pages_.for_each([&](std::uint64_t, const Page& p) { release(p); });
  }

  T* at(Address a) {
    const Page* page = pages_.find(a / kPage);
    if (page == nullptr) return nullptr;
    const Entry* after = first_after(*page, a);
    if (after != page->entries && (after - 1)->object->holds(a)) return (after - 1)->object;
    return page->over != nullptr && page->over->holds(a) ? page->over : nullptr;
  }

  void add(T* o) {
    Page& page = pages_.get(o->begin / kPage);
    if (page.count == page.room) grow(page);
    Entry* at = page.entries + (first_after(page, o->begin) - page.entries);
    std::memmove(at + 1, at, static_cast<std::size_t>(page.entries + page.count - at) * sizeof *at);
    *at = {o->begin, o};
    ++page.count;
    for (std::uint64_t n = o->begin / kPage + 1; n <= (o->end() - 1) / kPage; ++n) {
      pages_.get(n).over = o;
    }
  }

  void remove(const T* o) {
    const std::uint64_t number = o->begin / kPage;
    Page& page = *pages_.find(number);
    Entry* at = page.entries + (first_after(page, o->begin) - page.entries) - 1;
    std::memmove(at, at + 1,
                 static_cast<std::size_t>(page.entries + page.count - at - 1) * sizeof *at);
    --page.count;
    drop_if_empty(number, page);
    for (std::uint64_t n = number + 1; n <= (o->end() - 1) / kPage; ++n) {
      Page& next = *pages_.find(n);
      next.over = nullptr;
      drop_if_empty(n, next);
    }
  }

  // Where the first object after `a`, which is in none, begins; `end` if that is later.
  Address gap_end(Address a, Address end) {
    const std::uint64_t last = (end - 1) / kPage;
    if (last - a / kPage > pages_.size()) {  // wider than all there is: walk what there is
      pages_.for_each([&](std::uint64_t, const Page& page) {
        const Entry* after = first_after(page, a);
        if (after != page.entries + page.count) end = std::min(end, after->begin);
      });
      return end;
    }
    for (std::uint64_t n = a / kPage; n <= last; ++n) {
      const Page* page = pages_.find(n);
      if (page == nullptr) continue;
      const Entry* after = first_after(*page, a);
      if (after != page->entries + page->count) return std::min(end, after->begin);
    }
    return end;
  }

  using List = std::vector<T*, PoolAllocator<T*>>;
  // Those that begin in the range.
  List beginning_in(Address begin, std::uint64_t size) {
    List found{PoolAllocator<T*>(*pool_)};
    if (size == 0 || pages_.empty()) return found;
    const auto look = [&](std::uint64_t, const Page& page) {
      for (std::uint32_t i = 0; i < page.count; ++i) {
        if (page.entries[i].begin - begin < size) found.push_back(page.entries[i].object);
      }
    };
    const std::uint64_t first = begin / kPage, last = (begin + size - 1) / kPage;
    if (last - first > pages_.size()) {  // a range wider than all there is: walk what there is
      pages_.for_each(look);
      return found;
    }
    for (std::uint64_t n = first; n <= last; ++n) {
      if (const Page* page = pages_.find(n)) look(n, *page);
    }
    return found;
  }

  template <class F>
  void for_each(F f) const {
    pages_.for_each([&](std::uint64_t, const Page& page) {
      for (std::uint32_t i = 0; i < page.count; ++i) f(page.entries[i].object);
    });
  }

 private:
  static constexpr std::uint64_t kPage = 4096;
  struct Entry {
    Address begin;
    T* object;
  };
  struct Page {
    T* over = nullptr;         // begins before the page
    Entry* entries = nullptr;  // those that begin in it, ascending
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

  static const Entry* first_after(const Page& page, Address a) {
    return std::upper_bound(page.entries, page.entries + page.count, a,
                            [](Address x, const Entry& e) { return x < e.begin; });
  }
  void grow(Page& page) {
    const std::uint32_t room = page.room == 0 ? 2 : page.room * 2;
    auto* entries = static_cast<Entry*>(pool_->allocate(room * sizeof(Entry)));
    if (page.count != 0) std::memcpy(entries, page.entries, page.count * sizeof(Entry));
    release(page);
    page.entries = entries;
    page.room = room;
  }
  void release(const Page& page) {
    if (page.room != 0) pool_->deallocate(page.entries, page.room * sizeof(Entry));
  }
  void drop_if_empty(std::uint64_t number, const Page& page) {
    if (page.count != 0 || page.over != nullptr) return;
    release(page);
    pages_.erase(number);
  }

  Pool* pool_;
  FlatMap<std::uint64_t, Page> pages_;
};

}  // namespace steward::lockset
