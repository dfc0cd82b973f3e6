// Atomics of every common kind: relaxed counters, a maximum by compare-and-exchange, a histogram
// of acq_rel increments, and blocks of plain data handed on by a release store and an acquire
// load. A thread whose input is not there yet goes on with other work instead of spinning, so
// that the processor time measured is work.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr int kBlockWords = 32;
constexpr int kHistogram = 256;
constexpr long kBlocks = 2'800'000;  // of all threads

struct Block {
  std::atomic<bool> ready{false};
  std::array<uint64_t, kBlockWords> words{};
};

struct Shared {
  explicit Shared(long blocks) : blocks(blocks) {}
  std::vector<Block> blocks;
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> maximum{0};
  std::atomic<uint64_t> sum{0};
  std::array<std::atomic<uint32_t>, kHistogram> histogram{};
};

void publish(Shared& shared, Block& block, uint64_t index) {
  for (int w = 0; w < kBlockWords; ++w) block.words[w] = mix(index * kBlockWords + w);
  const uint64_t value = block.words[0];
  uint64_t seen = shared.maximum.load(std::memory_order_relaxed);
  while (seen < value &&
         !shared.maximum.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
  shared.histogram[value % kHistogram].fetch_add(1, std::memory_order_acq_rel);
  block.ready.store(true, std::memory_order_release);
}

bool consume(Shared& shared, const Block& block) {
  if (!block.ready.load(std::memory_order_acquire)) return false;
  uint64_t sum = 0;
  for (const uint64_t word : block.words) sum = sum * 31 + word;
  shared.sum.fetch_add(mix(sum), std::memory_order_relaxed);
  shared.count.fetch_add(1);
  return true;
}

// Thread t fills its own share of the blocks and reads that of its neighbour.
void work(Shared& shared, long own, long own_end, long other, long other_end) {
  while (own < own_end || other < other_end) {
    if (own < own_end) {
      publish(shared, shared.blocks[own], static_cast<uint64_t>(own));
      ++own;
    }
    if (other < other_end) {
      if (consume(shared, shared.blocks[other]))
        ++other;
      else if (own == own_end)
        std::this_thread::yield();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  // The blocks are as many at every scale, so that memory is the same; rounds are what scales.
  constexpr long kInMemory = 28'000;
  const long rounds = scaled(kBlocks / kInMemory, arguments);
  uint64_t sum = 0;
  for (long round = 0; round < rounds; ++round) {
    Shared shared(kInMemory);
    std::vector<std::thread> threads;
    const auto border = [&](int t) {
      return kInMemory * (t % arguments.threads) / arguments.threads;
    };
    const auto end = [&](int t) {
      return kInMemory * (t % arguments.threads + 1) / arguments.threads;
    };
    for (int t = 0; t < arguments.threads; ++t)
      threads.emplace_back(work, std::ref(shared), border(t), end(t), border(t + 1), end(t + 1));
    for (std::thread& thread : threads) thread.join();
    sum = sum * 31 + shared.sum + shared.count + shared.maximum;
    for (const auto& bin : shared.histogram) sum = sum * 31 + bin;
  }
  print_checksum(sum);
}
