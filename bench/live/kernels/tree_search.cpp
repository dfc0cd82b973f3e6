// Pointer chasing: threads look keys up in one binary search tree that main built, and count the
// visits of each of their own nodes in trees they build and free themselves.
#include <memory>
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr int kSharedNodes = 150'000;
constexpr int kOwnNodes = 1'000;
constexpr long kLookups = 1'000'000;  // of all threads
constexpr long kLookupsPerOwnTree = 10'000;

struct Node {
  uint64_t key;
  uint64_t visits = 0;
  std::unique_ptr<Node> left, right;
};

void insert(std::unique_ptr<Node>& root, uint64_t key) {
  std::unique_ptr<Node>* slot = &root;
  while (*slot) slot = key < (*slot)->key ? &(*slot)->left : &(*slot)->right;
  *slot = std::make_unique<Node>(Node{key, 0, nullptr, nullptr});
}

std::unique_ptr<Node> grow(int nodes, uint64_t seed) {
  std::unique_ptr<Node> root;
  for (int i = 0; i < nodes; ++i) insert(root, mix(seed + static_cast<uint64_t>(i)));
  return root;
}

uint64_t depth_of(const Node* node, uint64_t key) {
  uint64_t depth = 0;
  for (; node != nullptr && node->key != key; ++depth)
    node = key < node->key ? node->left.get() : node->right.get();
  return depth;
}

uint64_t count_visit(Node* node, uint64_t key) {
  while (node->key != key) node = key < node->key ? node->left.get() : node->right.get();
  return ++node->visits;
}

void work(const Node* shared, long begin, long end, uint64_t& result) {
  uint64_t sum = 0;
  std::unique_ptr<Node> own;
  for (long i = begin; i < end; ++i) {
    if (i % kLookupsPerOwnTree == 0 || !own) own = grow(kOwnNodes, 1'000'000'000);
    const uint64_t number = mix(static_cast<uint64_t>(i) << 20);
    sum += depth_of(shared, mix(number % kSharedNodes));
    sum += count_visit(own.get(), mix(1'000'000'000 + number % kOwnNodes)) & 1;
  }
  result = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const std::unique_ptr<Node> shared = grow(kSharedNodes, 0);
  const long lookups = scaled(kLookups, arguments);
  std::vector<uint64_t> results(arguments.threads);
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t)
    threads.emplace_back(work, shared.get(), lookups * t / arguments.threads,
                         lookups * (t + 1) / arguments.threads, std::ref(results[t]));
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (const uint64_t result : results) sum += result;
  print_checksum(sum);
}
