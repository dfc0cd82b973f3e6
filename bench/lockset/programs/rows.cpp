// Successive over-relaxation on one shared array: each thread has a band of rows, and reads the
// neighbours' edge rows. Barriers order the rounds; there is no lock.
#include <barrier>
#include <cstring>
#include <thread>
#include <vector>

#include "../../live/kernels/kernel.h"

namespace {
constexpr int kSize = 256;
constexpr long kRounds = 200;
}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const long rounds = scaled(kRounds, arguments);
  auto* cells = static_cast<double*>(aligned_alloc(64, kSize * kSize * sizeof(double)));
  for (int i = 0; i < kSize * kSize; ++i) {
    cells[i] = static_cast<double>(mix(static_cast<std::uint64_t>(i)) % 1000);
  }
  std::barrier rendezvous(arguments.threads);
  const auto work = [&](int thread) {
    const int first = 1 + (kSize - 2) * thread / arguments.threads;
    const int last = 1 + (kSize - 2) * (thread + 1) / arguments.threads;
    for (long round = 0; round < rounds; ++round) {
      for (int colour = 0; colour < 2; ++colour) {
        for (int y = first; y < last; ++y) {
          double* row = cells + y * kSize;
          for (int x = 1 + (y + colour) % 2; x < kSize - 1; x += 2) {
            row[x] = 0.2 * row[x] +
                     0.2 * (row[x - 1] + row[x + 1] + row[x - kSize] + row[x + kSize]);
          }
        }
        rendezvous.arrive_and_wait();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  std::uint64_t sum = 0;
  for (int i = 0; i < kSize * kSize; ++i) {
    std::uint64_t bits;
    std::memcpy(&bits, &cells[i], sizeof bits);
    sum += mix(bits);
  }
  free(cells);
  print_checksum(sum);
}
