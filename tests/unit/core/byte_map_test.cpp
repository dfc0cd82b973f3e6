// State exact to the byte, against one integer a byte in a std::map, in both directories.
#include "core/memory/byte_map.h"

#include <gtest/gtest.h>
#include <map>

#include "analyze/heap_pages.h"
#include "analyze/random.h"

namespace steward::test {
namespace {

// A state that owns memory, so that a lost or doubly freed one shows in Pool::in_use().
class Note {
 public:
  int value() const { return body_ == nullptr ? 0 : *body_; }
  void set(Pool& pool, int value) {
    destroy(pool);
    if (value != 0) body_ = pool.make<int>(value);
  }
  bool empty() const { return body_ == nullptr; }
  void destroy(Pool& pool) {
    if (body_ != nullptr) pool.destroy(body_);
    body_ = nullptr;
  }
  Note clone(Pool& pool) const {
    Note n;
    n.set(pool, value());
    return n;
  }

 private:
  int* body_ = nullptr;
};

using Model = std::map<Address, int>;  // no entry: 0

int value_of(const Model& m, Address a) {
  const auto found = m.find(a);
  return found == m.end() ? 0 : found->second;
}

template <template <class> class Directory>
class Checked {
 public:
  Checked() : pool_(pages_), map_(std::make_unique<Map>(pool_)) {}

  void write(Address a, std::uint64_t size, int value) {
    walk(
        a, size, [&](auto f) { map_->visit(a, size, f); }, true,
        [&](Note& n) { n.set(pool_, value); });
    for (Address x = a; x < a + size; ++x) model_[x] = value;
  }
  void read(Address a, std::uint64_t size) {
    walk(
        a, size, [&](auto f) { map_->visit(a, size, f); }, true, [](Note&) {});
  }
  void read_existing(Address a, std::uint64_t size) {
    walk(
        a, size, [&](auto f) { map_->visit_existing(a, size, f); }, false, [](Note&) {});
  }
  void clear(Address a, std::uint64_t size) {
    map_->clear(a, size);
    for (auto i = model_.lower_bound(a); i != model_.end() && i->first - a < size;) {
      i = model_.erase(i);
    }
  }
  void copy(Address from, Address to, std::uint64_t size) {
    map_->copy(from, to, size);
    const Model before = model_;
    for (std::uint64_t k = 0; k < size; ++k) model_[to + k] = value_of(before, from + k);
  }
  void check_all() {
    for (const auto& [a, value] : model_) {
      int seen = 0;
      map_->visit_existing(a, 1, [&](Note& n, Address, unsigned) { seen = n.value(); });
      ASSERT_EQ(seen, value) << "at " << a;
    }
  }
  Directory<Note>& directory() { return map_->directory(); }
  // Bytes still held once the map is gone.
  std::size_t leaked() {
    map_.reset();
    return pool_.in_use();
  }

 private:
  using Map = ByteMap<Note, Directory>;

  // The runs visited are in order, apart, within the range, and of one value each; with `all` they
  // cover the range, without it they may leave out what holds nothing.
  template <class Visit, class Change>
  void walk(Address a, std::uint64_t size, Visit visit, bool all, Change change) {
    Address next = a;
    visit([&](Note& n, Address at, unsigned bytes) {
      ASSERT_GT(bytes, 0u);
      ASSERT_LE(bytes, kGranule);
      ASSERT_GE(at, next);
      if (all) {
        ASSERT_EQ(at, next);
      }
      for (Address x = next; x < at; ++x) ASSERT_EQ(value_of(model_, x), 0) << "left out " << x;
      for (Address x = at; x < at + bytes; ++x) ASSERT_EQ(n.value(), value_of(model_, x)) << x;
      next = at + bytes;
      change(n);
    });
    ASSERT_LE(next, a + size);
    if (all) {
      ASSERT_EQ(next, a + size);
    }
    for (Address x = next; x < a + size; ++x) ASSERT_EQ(value_of(model_, x), 0) << "left out " << x;
  }

  analyze::HeapPages pages_;
  Pool pool_;
  std::unique_ptr<Map> map_;
  Model model_;
};

template <template <class> class D>
struct Named {
  template <class S>
  using type = D<S>;
};
template <class D>
class ByteMapIn : public testing::Test {
 public:
  using Map = Checked<D::template type>;
};
using Directories = testing::Types<Named<PagedDirectory>, Named<HashDirectory>>;
TYPED_TEST_SUITE(ByteMapIn, Directories);

TYPED_TEST(ByteMapIn, RandomRangesMatchAByteAtATime) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    analyze::Random random(seed);
    typename TestFixture::Map map;
    const Address base = random.below(2) == 0 ? 0 : 0x7fff'0000;
    const std::uint64_t span = 16 + random.below(1'200);  // within a page, or over a few
    for (int step = 1; step <= 200; ++step) {
      const Address a = base + random.below(span);
      const std::uint64_t size = random.below(random.below(6) == 0 ? 700 : 20);
      switch (random.below(10)) {
        case 0:
          map.clear(a, size);
          break;
        case 1:
          map.copy(a, base + random.below(span), size);
          break;
        case 2:
          map.copy(a, a + random.below(9), size);
          break;  // overlaps
        case 3:
          map.copy(a + random.below(9), a, size);
          break;
        case 4:
          map.read(a, size);
          break;
        case 5:
          map.read_existing(a, size);
          break;
        default:
          map.write(a, size, step);
      }
      if (this->HasFatalFailure()) return;
    }
    map.check_all();
    if (this->HasFatalFailure()) return;
    ASSERT_EQ(map.leaked(), 0u);
  }
}

TYPED_TEST(ByteMapIn, OverlappingCopiesReadBeforeTheyWrite) {
  for (const auto& [from, to] : {std::pair{3u, 5u}, {5u, 3u}, {0u, 8u}, {8u, 0u}, {4u, 4u}}) {
    SCOPED_TRACE(testing::Message() << from << " to " << to);
    typename TestFixture::Map map;
    for (Address a = 0; a < 40; ++a) map.write(a, 1, static_cast<int>(a) + 1);
    map.copy(from, to, 20);
    map.check_all();
    EXPECT_EQ(map.leaked(), 0u);
  }
}

TYPED_TEST(ByteMapIn, CopyOfNothingErases) {
  typename TestFixture::Map map;
  map.write(0x100, 16, 7);
  map.copy(0x9000, 0x104, 6);
  map.check_all();
  EXPECT_EQ(map.leaked(), 0u);
}

TYPED_TEST(ByteMapIn, HugeClearsTakeTheTimeOfWhatIsThere) {
  // Far wider than the state: the directory must walk its state, not the range.
  typename TestFixture::Map map;
  for (Address a = 0x1000; a < 0x9000; a += 0x123) map.write(a, 5, 3);
  map.write(Address{1} << 62, 8, 4);
  map.clear(0x2001, (Address{1} << 61) + 5);
  map.check_all();
  map.read(0x1000, 0x2000);
  map.clear(0, ~Address{0} - 8);
  map.check_all();
  map.read_existing(Address{1} << 62, 8);
  EXPECT_EQ(map.leaked(), 0u);
}

TYPED_TEST(ByteMapIn, NarrowClearsLookUpEachGranule) {
  typename TestFixture::Map map;
  for (Address a = 0; a < 64 * 512; a += 8) map.write(a, 8, 9);
  map.clear(0x203, 0x805);
  map.clear(0x2000, 8);
  map.clear(0x2008, 0);
  map.clear(0x2013, 2);
  map.check_all();
  map.read_existing(0, 64 * 512);
  EXPECT_EQ(map.leaked(), 0u);
}

TYPED_TEST(ByteMapIn, TheEdgesOfTheAddressSpace) {
  typename TestFixture::Map map;
  const Address last = ~Address{0} - 7;  // the last granule; a range may not end at 2^64
  map.write(0, 3, 1);
  map.write(last - 5, 9, 2);
  map.check_all();
  map.clear(last, 4);
  map.clear(0, 1);
  map.check_all();
  EXPECT_EQ(map.leaked(), 0u);
}

TEST(HashDirectory, GranulesLeftEmptyAreForgotten) {
  analyze::HeapPages pages;
  Pool pool(pages);
  ByteMap<Note, HashDirectory> map(pool);
  map.visit(0x103, 10, [&](Note& n, Address, unsigned) { n.set(pool, 1); });
  EXPECT_EQ(map.directory().size(), 2u);
  map.visit_existing(0x103, 10, [&](Note& n, Address at, unsigned) {
    if (at < 0x108) n.set(pool, 0);
  });
  EXPECT_EQ(map.directory().size(), 1u);
  map.clear(0x108, 5);
  EXPECT_TRUE(map.directory().empty());
}

TEST(Granule, AVariableOfOneSizeCostsOneState) {
  analyze::HeapPages pages;
  Pool pool(pages);
  Granule<Note> g;
  auto segments = [&] {
    unsigned n = 0;
    g.visit_segments(0, kGranule, [&](const Note&, unsigned, unsigned) { ++n; });
    return n;
  };
  for (int i = 1; i < 5; ++i) {
    g.visit(pool, 0, 8, [&](Note& n, unsigned, unsigned) { n.set(pool, i); });
  }
  EXPECT_EQ(segments(), 1u);
  g.visit(pool, 4, 8, [&](Note& n, unsigned, unsigned) { n.set(pool, 9); });
  EXPECT_EQ(segments(), 2u);
  g.visit(pool, 4, 8, [&](Note&, unsigned, unsigned) {});
  EXPECT_EQ(segments(), 2u);
  g.reset(pool);
  EXPECT_EQ(segments(), 1u);
  EXPECT_TRUE(g.empty());
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(Granule, EveryPairOfCutsInheritsTheState) {
  analyze::HeapPages pages;
  Pool pool(pages);
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned to = from + 1; to <= 8; ++to) {
      for (unsigned from2 = 0; from2 < 8; ++from2) {
        for (unsigned to2 = from2 + 1; to2 <= 8; ++to2) {
          Granule<Note> g;
          int model[8] = {};
          auto write = [&](unsigned b, unsigned e, int value) {
            g.visit(pool, b, e, [&](Note& n, unsigned sb, unsigned se) {
              for (unsigned i = sb; i < se; ++i) ASSERT_EQ(n.value(), model[i]);
              n.set(pool, value);
            });
            for (unsigned i = b; i < e; ++i) model[i] = value;
          };
          write(from, to, 1);
          write(from2, to2, 2);
          unsigned next = 0;
          g.visit_segments(0, 8, [&](const Note& n, unsigned b, unsigned e) {
            ASSERT_EQ(b, next);
            for (unsigned i = b; i < e; ++i) ASSERT_EQ(n.value(), model[i]);
            next = e;
          });
          ASSERT_EQ(next, 8u);
          g.reset(pool);
          ASSERT_EQ(pool.in_use(), 0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace steward::test
