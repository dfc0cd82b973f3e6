// Each thread registers its sessions in one table, where all could find them, and works on them
// alone: reachable by many, used by one.
#include <mutex>
#include <thread>
#include <vector>

#include "../../live/kernels/kernel.h"

namespace {

constexpr int kSessions = 64, kFields = 24, kRounds = 60000;

struct Session {
  std::uint64_t fields[kFields];
};
std::mutex lock;
Session* table[kMostThreads * kSessions];

std::uint64_t work(int thread, long rounds) {
  std::uint64_t sum = 0;
  for (long round = 0; round < rounds; ++round) {
    const int slot = thread * kSessions + static_cast<int>(round % kSessions);
    auto* fresh = new Session{};
    Session* old = nullptr;
    {
      std::lock_guard<std::mutex> guard(lock);
      old = table[slot];
      table[slot] = fresh;
    }
    if (old != nullptr) {
      for (const std::uint64_t f : old->fields) sum += f;
      delete old;
    }
    for (int i = 0; i < kFields; ++i) fresh->fields[i] = mix(static_cast<std::uint64_t>(round + i));
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const long rounds = scaled(kRounds, arguments);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads));
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t) {
    threads.emplace_back([&sums, t, rounds] { sums[static_cast<std::size_t>(t)] = work(t, rounds); });
  }
  std::uint64_t sum = 0;
  for (std::thread& t : threads) t.join();
  for (const std::uint64_t s : sums) sum += s;
  print_checksum(sum);
}
