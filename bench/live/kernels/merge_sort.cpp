// Merge sort: each thread sorts its part, then main merges two parts at a time. Every element is
// read and written once a level, and moves between two buffers.
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr size_t kElements = 600'000;
constexpr long kRounds = 6;

void merge(const uint32_t* left, const uint32_t* left_end, const uint32_t* right,
           const uint32_t* right_end, uint32_t* out) {
  while (left != left_end && right != right_end) *out++ = *right < *left ? *right++ : *left++;
  while (left != left_end) *out++ = *left++;
  while (right != right_end) *out++ = *right++;
}

void sort(uint32_t* data, uint32_t* spare, size_t count) {
  if (count < 2) return;
  const size_t half = count / 2;
  sort(data, spare, half);
  sort(data + half, spare + half, count - half);
  merge(data, data + half, data + half, data + count, spare);
  for (size_t i = 0; i < count; ++i) data[i] = spare[i];
}

uint64_t round_of(uint64_t seed, int parts, std::vector<uint32_t>& data,
                  std::vector<uint32_t>& spare) {
  for (size_t i = 0; i < kElements; ++i) data[i] = static_cast<uint32_t>(mix(seed + i));
  const auto border = [&](int part) { return kElements * part / parts; };
  std::vector<std::thread> threads;
  for (int t = 0; t < parts; ++t)
    threads.emplace_back(sort, data.data() + border(t), spare.data() + border(t),
                         border(t + 1) - border(t));
  for (std::thread& thread : threads) thread.join();
  for (int t = 1; t < parts; ++t) {
    merge(data.data(), data.data() + border(t), data.data() + border(t),
          data.data() + border(t + 1), spare.data());
    for (size_t i = 0; i < border(t + 1); ++i) data[i] = spare[i];
  }
  uint64_t sum = 0;
  for (const uint32_t value : data) sum = sum * 31 + value;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  std::vector<uint32_t> data(kElements);
  std::vector<uint32_t> spare(kElements);
  uint64_t sum = 0;
  for (long round = 0; round < scaled(kRounds, arguments); ++round)
    sum = sum * 31 + round_of(static_cast<uint64_t>(round) << 32, arguments.threads, data, spare);
  print_checksum(sum);
}
