// A hash map in shards, a mutex each: short critical sections, two or three nodes of a chain
// touched in each, data that wanders between threads.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr int kShards = 16;
constexpr int kBuckets = 4096;  // a shard
constexpr uint64_t kKeys = 100'000;
constexpr long kOperations = 8'000'000;  // of all threads

struct Node {
  uint64_t key;
  uint64_t value;
  Node* next;
};

struct Shard {
  std::mutex mutex;
  std::array<Node*, kBuckets> buckets{};
};

struct Map {
  std::array<Shard, kShards> shards;

  void add(uint64_t key, uint64_t value) {
    const uint64_t hash = mix(key);
    Shard& shard = shards[hash % kShards];
    Node*& head_slot = shard.buckets[hash / kShards % kBuckets];
    const std::lock_guard lock(shard.mutex);
    for (Node* node = head_slot; node != nullptr; node = node->next)
      if (node->key == key) {
        node->value += value;
        return;
      }
    head_slot = new Node{key, value, head_slot};
  }
};

void work(Map& map, long begin, long end) {
  for (long i = begin; i < end; ++i) {
    const uint64_t number = mix(static_cast<uint64_t>(i));
    map.add(number % kKeys, number >> 32);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  static Map map;
  const long operations = scaled(kOperations, arguments);
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t)
    threads.emplace_back(work, std::ref(map), operations * t / arguments.threads,
                         operations * (t + 1) / arguments.threads);
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (Shard& shard : map.shards)
    for (Node* node : shard.buckets)
      for (; node != nullptr; node = node->next) sum += mix(node->key ^ mix(node->value));
  print_checksum(sum);
}
