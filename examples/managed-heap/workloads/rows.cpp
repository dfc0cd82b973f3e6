// Fork and join: each thread fills rows of its own, over and over, with scratch arrays that nobody
// keeps; the parent reads them all after the join.
#include <cstdlib>

#include "workloads.h"

namespace managed {
namespace {

constexpr unsigned kThreads = 3, kWidth = 12, kHeight = 24;
constexpr std::size_t kMatrix = 0;
const Type kRows{"long[][]", Type::kAll};
const Type kRow{"long[]", 0};

void fill(Mutator& m, unsigned y, long round) {
  Handle all(m), row(m), scratch(m);
  make(m, scratch, kRow, 2 * kWidth);
  for (unsigned x = 0; x < kWidth; ++x) put(scratch, x, static_cast<long>(x) * y + round);
  make(m, row, kRow, kWidth);
  for (unsigned x = 0; x < kWidth; ++x) put(row, x, get(scratch, x) + 1);
  get_static(m, all, kMatrix);
  put_reference(all, y, row);
}

}  // namespace

void rows(Mutator& m, unsigned rounds) {
  Handle matrix(m), row(m);
  make(m, matrix, kRows, kHeight);
  put_static(m, kMatrix, matrix);
  in_threads(m, kThreads, [rounds](Mutator& mine, unsigned t) {
    for (unsigned i = 0; i < rounds / 4 + kHeight; ++i) {
      const unsigned y = i * kThreads % kHeight + t;
      fill(mine, y, i);
      mine.poll();
    }
  });
  long sum = 0;
  for (unsigned y = 0; y < kHeight; ++y) {
    get_reference(row, matrix, y);
    for (unsigned x = 0; x < kWidth; ++x) sum += get(row, x);
  }
  if (sum == 0) std::abort();
}

}  // namespace managed
