#include "kernels.h"

#include <algorithm>
#include <array>

namespace steward::bench {

namespace {

Task nothing(Actor&) {
  co_return;
}

// Writes an array as main does before it starts the others.
World::Body fill(Address a, std::uint64_t count, unsigned size) {
  return [=](Actor& t) -> Task {
    for (std::uint64_t i = 0; i < count; ++i) {
      t.work(3);
      t.write(a + i * size, size);
    }
    co_return;
  };
}

// Prices options, each thread its slice, over and over: no sharing but false sharing at the seams.
void array(World& w, unsigned threads, unsigned scale) {
  const std::uint64_t options = 4096 * scale;
  const Address in = w.place(options * 24), out = w.place(options * 4);
  std::vector<World::Body> bodies;
  for (unsigned n = 0; n < threads; ++n) {
    bodies.push_back([=](Actor& t) -> Task {
      const std::uint64_t from = options * n / threads, to = options * (n + 1) / threads;
      for (unsigned round = 0; round < 40; ++round) {
        for (std::uint64_t i = from; i < to; ++i) {
          for (unsigned field = 0; field < 6; ++field) t.read(in + 24 * i + 4 * field, 4);
          t.work(180, 12);
          t.write(out + 4 * i, 4);
          co_await t.pause();
        }
        co_await t.barrier(0, threads);
      }
    });
  }
  w.run(fill(in, options * 6, 4), bodies, [=](Actor& t) -> Task {
    for (std::uint64_t i = 0; i < options; ++i) t.read(out + 4 * i, 4);
    co_return;
  });
}

// Two grids of doubles, rows by thread, a barrier after each sweep.
void stencil(World& w, unsigned threads, unsigned scale) {
  const std::uint64_t n = 320 * scale;
  std::array<Address, 2> grid = {w.place(n * n * 8), w.place(n * n * 8)};
  std::vector<World::Body> bodies;
  for (unsigned k = 0; k < threads; ++k) {
    bodies.push_back([=](Actor& t) -> Task {
      const std::uint64_t from = 1 + (n - 2) * k / threads, to = 1 + (n - 2) * (k + 1) / threads;
      for (unsigned step = 0; step < 6; ++step) {
        const Address a = grid[step % 2], b = grid[(step + 1) % 2];
        for (std::uint64_t i = from; i < to; ++i) {
          for (std::uint64_t j = 1; j + 1 < n; ++j) {
            const Address at = 8 * (i * n + j);
            t.read(a + at, 8);
            t.read(a + at - 8, 8);
            t.read(a + at + 8, 8);
            t.read(a + at - 8 * n, 8);
            t.read(a + at + 8 * n, 8);
            t.work(8);
            t.write(b + at, 8);
          }
          t.work(20, 4);
          co_await t.pause();
        }
        co_await t.barrier(0, threads);
      }
    });
  }
  w.run(fill(grid[0], n * n, 8), bodies, nothing);
}

// Points that all read, centres that one thread moves between two barriers, sums of each thread's
// own.
void cluster(World& w, unsigned threads, unsigned scale) {
  constexpr unsigned kDimensions = 16, kCentres = 12;
  const std::uint64_t points = 1024 * scale;
  const Address data = w.place(points * kDimensions * 4), member = w.place(points * 4);
  const Address centres = w.place(kCentres * kDimensions * 4);
  const Address sums = w.place(std::uint64_t{threads} * kCentres * kDimensions * 8);
  std::vector<World::Body> bodies;
  for (unsigned k = 0; k < threads; ++k) {
    bodies.push_back([=](Actor& t) -> Task {
      const std::uint64_t from = points * k / threads, to = points * (k + 1) / threads;
      const Address own = sums + std::uint64_t{k} * kCentres * kDimensions * 8;
      for (unsigned round = 0; round < 6; ++round) {
        for (std::uint64_t i = from; i < to; ++i) {
          for (unsigned c = 0; c < kCentres; ++c) {
            for (unsigned d = 0; d < kDimensions; ++d) {
              t.read(data + (i * kDimensions + d) * 4, 4);
              t.read(centres + (c * kDimensions + d) * 4, 4);
              t.work(3);
            }
            t.work(6, 2);
          }
          const auto best = static_cast<unsigned>((i * 2654435761u + round) >> 7) % kCentres;
          t.write(member + 4 * i, 4);
          for (unsigned d = 0; d < kDimensions; ++d) {
            t.read(own + (best * kDimensions + d) * 8, 8);
            t.write(own + (best * kDimensions + d) * 8, 8);
            t.work(2);
          }
          co_await t.pause();
        }
        co_await t.barrier(0, threads);
        if (k == 0) {
          for (unsigned c = 0; c < kCentres * kDimensions; ++c) {
            for (unsigned other = 0; other < threads; ++other) {
              t.read(sums + (std::uint64_t{other} * kCentres * kDimensions + c) * 8, 8);
              t.work(2);
            }
            t.write(centres + 4 * c, 4);
          }
        }
        co_await t.barrier(0, threads);
      }
    });
  }
  w.run(fill(data, points * kDimensions, 4), bodies, nothing);
}

// A hash map with a lock for each of 64 parts; nodes come and go.
void map(World& w, unsigned threads, unsigned scale) {
  constexpr unsigned kBuckets = 4096, kParts = 64, kNode = 48;
  struct Shared {
    std::vector<std::vector<std::pair<std::uint64_t, Address>>> chains{kBuckets};
  };
  auto shared = std::make_shared<Shared>();
  const Address buckets = w.place(kBuckets * 8);
  std::vector<World::Body> bodies;
  for (unsigned k = 0; k < threads; ++k) {
    bodies.push_back([=](Actor& t) -> Task {
      for (unsigned op = 0; op < 6000 * scale; ++op) {
        const std::uint64_t key = t.random().below(16384);
        const auto b = static_cast<unsigned>(key * 2654435761u % kBuckets);
        auto& chain = shared->chains[b];
        t.work(40, 10);
        co_await t.lock(b % kParts);
        t.read(buckets + 8 * b, 8);
        std::size_t i = 0;
        for (; i < chain.size() && chain[i].first != key; ++i) {
          t.read(chain[i].second + 8, 8);
          t.read(chain[i].second, 8);
          t.work(5);
        }
        const std::uint64_t what = t.random().below(10);
        if (i < chain.size()) {
          const Address node = chain[i].second;
          t.read(node + 8, 8);
          if (what < 6) {
            t.read(node + 16, 8);
          } else if (what < 9) {
            t.read(node + 16, 8);
            t.write(node + 16, 8);
            t.write(node + 24, 4);
          } else {
            t.read(node, 8);
            t.write(i == 0 ? buckets + 8 * b : chain[i - 1].second, 8);
            chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i));
            t.free(node, kNode);
          }
        } else if (what < 5) {
          const Address node = t.allocate(kNode);
          for (unsigned field = 0; field < 3; ++field) t.write(node + 8 * field, 8);
          t.write(node + 24, 4);
          t.write(buckets + 8 * b, 8);
          chain.insert(chain.begin(), {key, node});
        }
        t.unlock(b % kParts);
      }
    });
  }
  w.run(fill(buckets, kBuckets, 8), bodies, nothing);
}

// Images go through stages, byte by byte, in buffers that queues hand on.
void pipeline(World& w, unsigned threads, unsigned scale) {
  struct Queue {
    std::deque<Address> items;
    bool closed = false;
  };
  constexpr std::uint64_t kBytes = 16384;
  const unsigned stages = std::max(2u, threads);
  auto queues = std::make_shared<std::vector<Queue>>(stages);
  const Address heads = w.place(stages * 64);
  const Address table = w.place(1024);
  const unsigned images = 16 * scale;
  std::vector<World::Body> bodies;
  for (unsigned s = 0; s < stages; ++s) {
    bodies.push_back([=](Actor& t) -> Task {
      for (unsigned n = 0;; ++n) {
        Address image = 0;
        if (s == 0) {
          if (n == images) break;
          image = t.allocate(kBytes);
          for (std::uint64_t i = 0; i < kBytes; ++i) {
            t.work(2);
            t.write(image + i, 1);
          }
          t.system_call();
        } else {
          Queue& in = (*queues)[s - 1];
          co_await t.until([&in] { return !in.items.empty() || in.closed; });
          co_await t.lock(s - 1);
          t.read(heads + 64 * (s - 1), 8);
          if (in.items.empty()) {
            t.unlock(s - 1);
            break;
          }
          image = in.items.front();
          in.items.pop_front();
          t.write(heads + 64 * (s - 1), 8);
          t.unlock(s - 1);
          for (std::uint64_t i = 0; i < kBytes; ++i) {
            t.read(image + i, 1);
            if (s % 2 == 0) t.read(table + i * 7 % 256 * 4, 4);
            t.work(4, i % 8 == 0 ? 3 : 0);
            t.write(image + i, 1);
            if (i % 256 == 0) co_await t.pause();
          }
        }
        if (s + 1 == stages) {
          t.system_call();
          t.free(image, kBytes);
          continue;
        }
        Queue& out = (*queues)[s];
        co_await t.until([&out] { return out.items.size() < 4; });
        co_await t.lock(s);
        t.read(heads + 64 * s, 8);
        out.items.push_back(image);
        t.write(heads + 64 * s, 8);
        t.unlock(s);
      }
      co_await t.lock(s);
      (*queues)[s].closed = true;
      t.unlock(s);
    });
  }
  w.run(fill(table, 256, 4), bodies, nothing);
}

// Jobs in one queue, results in another; the work is small, so the lock is busy.
void queue(World& w, unsigned threads, unsigned scale) {
  struct Shared {
    std::deque<Address> jobs;
    unsigned made = 0;
    unsigned done = 0;
  };
  constexpr unsigned kJob = 256;
  auto shared = std::make_shared<Shared>();
  const unsigned total = 6000 * scale;
  const unsigned makers = std::max(1u, threads / 4);
  const Address head = w.place(64), count = w.place(64);
  std::vector<World::Body> bodies;
  for (unsigned k = 0; k < threads; ++k) {
    if (k < makers) {
      bodies.push_back([=](Actor& t) -> Task {
        Shared* s = shared.get();
        while (shared->made < total) {
          ++shared->made;
          const Address job = t.allocate(kJob);
          for (unsigned i = 0; i < 16; ++i) {
            t.work(10, 2);
            t.write(job + 8 * i, 8);
          }
          co_await t.until([s] { return s->jobs.size() < 64; });
          co_await t.lock(0);
          t.read(head, 8);
          t.write(job + 248, 8);
          t.write(head, 8);
          shared->jobs.push_back(job);
          t.unlock(0);
        }
      });
      continue;
    }
    bodies.push_back([=](Actor& t) -> Task {
      Shared* s = shared.get();
      const unsigned all = total;
      for (;;) {
        co_await t.until([s, all] { return !s->jobs.empty() || s->done == all; });
        co_await t.lock(0);
        t.read(head, 8);
        if (shared->jobs.empty()) {
          t.unlock(0);
          if (shared->done == total) break;
          continue;
        }
        const Address job = shared->jobs.front();
        shared->jobs.pop_front();
        t.read(job + 248, 8);
        t.write(head, 8);
        t.unlock(0);
        for (unsigned i = 0; i < 16; ++i) {
          t.read(job + 8 * i, 8);
          t.work(30, 6);
          t.write(job + 128 + 4 * i, 4);
        }
        t.free(job, kJob);
        co_await t.lock(1);
        t.read(count, 8);
        t.write(count, 8);
        ++shared->done;
        t.unlock(1);
      }
    });
  }
  w.run(nothing, bodies, [=](Actor& t) -> Task {
    t.read(count, 8);
    co_return;
  });
}

// A search tree under a readers-writer lock; nine of ten operations only look.
void tree(World& w, unsigned threads, unsigned scale) {
  struct Node {
    std::uint64_t key;
    Address at;
    std::uint32_t left = 0, right = 0;
  };
  constexpr unsigned kNode = 40;
  auto nodes = std::make_shared<std::vector<Node>>();
  const Address root = w.place(64);
  const auto insert = [=](Actor& t, std::uint64_t key) {
    t.read(root, 8);
    if (nodes->empty()) {
      nodes->push_back({key, t.allocate(kNode)});
      t.write(root, 8);
      return;
    }
    for (std::uint32_t i = 0;;) {
      t.read((*nodes)[i].at, 8);
      t.work(4);
      if ((*nodes)[i].key == key) {
        t.write((*nodes)[i].at + 24, 8);
        return;
      }
      const bool left = key < (*nodes)[i].key;
      t.read((*nodes)[i].at + (left ? 8 : 16), 8);
      const std::uint32_t next = left ? (*nodes)[i].left : (*nodes)[i].right;
      if (next == 0) {
        const Address at = t.allocate(kNode);
        for (unsigned f = 0; f < 4; ++f) t.write(at + 8 * f, 8);
        t.write((*nodes)[i].at + (left ? 8 : 16), 8);
        const auto made = static_cast<std::uint32_t>(nodes->size());
        (left ? (*nodes)[i].left : (*nodes)[i].right) = made;
        nodes->push_back({key, at});
        return;
      }
      i = next;
    }
  };
  std::vector<World::Body> bodies;
  for (unsigned k = 0; k < threads; ++k) {
    bodies.push_back([=](Actor& t) -> Task {
      for (unsigned op = 0; op < 4000 * scale; ++op) {
        const std::uint64_t key = t.random().below(1 << 20);
        t.work(50, 12);
        if (t.random().below(10) == 0) {
          co_await t.lock(0);
          insert(t, key);
          t.unlock(0);
          continue;
        }
        co_await t.read_lock(0);
        t.read(root, 8);
        for (std::uint32_t i = 0;;) {
          t.read((*nodes)[i].at, 8);
          t.work(4);
          if ((*nodes)[i].key == key) {
            t.read((*nodes)[i].at + 24, 8);
            break;
          }
          const bool left = key < (*nodes)[i].key;
          t.read((*nodes)[i].at + (left ? 8 : 16), 8);
          i = left ? (*nodes)[i].left : (*nodes)[i].right;
          if (i == 0) break;
        }
        t.read_unlock(0);
      }
    });
  }
  w.run(
      [=](Actor& t) -> Task {
        for (unsigned i = 0; i < 4000 * scale; ++i) insert(t, t.random().below(1 << 20));
        co_return;
      },
      bodies, nothing);
}

constexpr Kernel kKernels[] = {
    {"array", "prices options: each thread its slice, nothing shared", array},
    {"stencil", "sweeps over a grid of doubles, barriers between them", stencil},
    {"cluster", "k-means: shared points, sums of each thread's own, barriers", cluster},
    {"map", "hash map with 64 locks, nodes allocated and freed", map},
    {"queue", "jobs through one queue under one lock", queue},
    {"tree", "search tree under a readers-writer lock", tree},
    {"pipeline", "images handed from stage to stage, byte by byte", pipeline},
};

}  // namespace

std::span<const Kernel> kernels() {
  return kKernels;
}

}  // namespace steward::bench
