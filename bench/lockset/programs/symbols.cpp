// A compiler's shape: each thread parses files of its own into trees that hang, for the time, from
// one global list; nobody but the parser ever looks at them.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../../live/kernels/kernel.h"

namespace {

constexpr int kFiles = 60, kNodes = 600;

struct Node {
  std::uint64_t key;
  Node* left;
  Node* right;
};
std::mutex lock;
Node* open_files[kMostThreads];

void insert(Node* root, std::uint64_t key) {
  for (Node* n = root;;) {
    Node*& next = key < n->key ? n->left : n->right;
    if (next == nullptr) {
      next = new Node{key, nullptr, nullptr};
      return;
    }
    n = next;
  }
}
std::uint64_t fold_and_free(Node* n) {
  if (n == nullptr) return 0;
  const std::uint64_t sum = n->key + 31 * fold_and_free(n->left) + 37 * fold_and_free(n->right);
  delete n;
  return sum;
}

std::uint64_t work(int thread, long files) {
  std::uint64_t sum = 0;
  for (long f = 0; f < files; ++f) {
    auto* root = new Node{~std::uint64_t{0} / 2, nullptr, nullptr};
    {
      std::lock_guard<std::mutex> guard(lock);
      open_files[thread] = root;
    }
    for (std::uint64_t i = 0; i < kNodes; ++i) {
      insert(root, mix(static_cast<std::uint64_t>(f) * kNodes + i));
    }
    {
      std::lock_guard<std::mutex> guard(lock);
      open_files[thread] = nullptr;
    }
    sum += fold_and_free(root);
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const long files = scaled(kFiles * 10, arguments);
  std::uint64_t sums[kMostThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t) {
    threads.emplace_back([&sums, t, files] { sums[t] = work(t, files); });
  }
  std::uint64_t sum = 0;
  for (int t = 0; t < arguments.threads; ++t) {
    threads[static_cast<std::size_t>(t)].join();
    sum += sums[t];
  }
  print_checksum(sum);
}
