// Threads that share nothing but the memory their trees come from.
#include <cstdlib>

#include "workloads.h"

namespace managed {
namespace {

const Type kNode{"Tree", 2};
enum NodeField { kLeft, kRight, kValue };

void build(Mutator& m, Handle& to, unsigned depth, long value) {
  Handle node(m);
  make(m, node, kNode, 4);
  put(node, kValue, value);
  if (depth > 0) {
    Handle child(m);
    build(m, child, depth - 1, 2 * value);
    put_reference(node, kLeft, child);
    build(m, child, depth - 1, 2 * value + 1);
    put_reference(node, kRight, child);
  }
  to.set(node.get());
}

long nodes(Mutator& m, const Handle& tree) {
  if (!tree) return 0;
  Handle child(m);
  get_reference(child, tree, kLeft);
  const long left = nodes(m, child);
  get_reference(child, tree, kRight);
  return left + nodes(m, child) + (get(tree, kValue) > 0 ? 1 : 0);
}

}  // namespace

void trees(Mutator& m, unsigned rounds) {
  in_threads(m, 3, [rounds](Mutator& mine, unsigned) {
    for (unsigned i = 0; i < rounds / 12 + 1; ++i) {
      Handle tree(mine);
      build(mine, tree, 4, 1);
      if (nodes(mine, tree) != 31) std::abort();
      mine.poll();
    }
  });
}

}  // namespace managed
