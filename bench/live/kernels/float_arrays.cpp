// Loops over arrays of floats, each thread on its own part: long runs of neighbouring 4-byte
// accesses that no other thread touches, and no synchronisation but the join.
#include <cstring>
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr size_t kElements = 1 << 20;
constexpr long kRounds = 200;

struct Arrays {
  std::vector<float> x = std::vector<float>(kElements);
  std::vector<float> y = std::vector<float>(kElements);
  std::vector<float> z = std::vector<float>(kElements);
};

void work(Arrays& arrays, size_t begin, size_t end, long rounds) {
  float* const x = arrays.x.data();
  float* const y = arrays.y.data();
  float* const z = arrays.z.data();
  for (size_t i = begin; i < end; ++i) {
    x[i] = static_cast<float>(mix(i) % 1000) / 1000.0F;
    y[i] = static_cast<float>(mix(i + kElements) % 1000) / 1000.0F;
  }
  for (long round = 0; round < rounds; ++round) {
    for (size_t i = begin; i < end; ++i) z[i] = 0.75F * x[i] + y[i];
    for (size_t i = begin; i + 1 < end; ++i) x[i] = 0.5F * (z[i] + z[i + 1]);
    for (size_t i = begin; i < end; ++i) y[i] = y[i] * 0.5F + x[i] * z[i] * 0.125F;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  Arrays arrays;
  std::vector<std::thread> threads;
  const size_t part = kElements / arguments.threads;
  for (int t = 0; t < arguments.threads; ++t)
    threads.emplace_back(work, std::ref(arrays), t * part, (t + 1) * part,
                         scaled(kRounds, arguments));
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (const float value : arrays.y) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    sum = sum * 31 + bits;
  }
  print_checksum(sum);
}
