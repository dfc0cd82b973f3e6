// Allocation-heavy and shared by nobody: each thread makes, walks and frees lists of its own.
#include <thread>
#include <vector>

#include "../../live/kernels/kernel.h"

namespace {

constexpr int kLists = 4000, kLength = 100;

struct Cell {
  Cell* next;
  std::uint64_t value;
};

std::uint64_t work(int thread, long lists) {
  std::uint64_t sum = 0;
  for (long l = 0; l < lists; ++l) {
    Cell* head = nullptr;
    for (std::uint64_t i = 0; i < kLength; ++i) {
      head = new Cell{head, mix(static_cast<std::uint64_t>(l + thread) * kLength + i)};
    }
    for (int pass = 0; pass < 4; ++pass) {
      for (Cell* c = head; c != nullptr; c = c->next) c->value = mix(c->value);
    }
    while (head != nullptr) {
      Cell* next = head->next;
      sum += head->value;
      delete head;
      head = next;
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const long lists = scaled(kLists, arguments);
  std::uint64_t sums[kMostThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t) {
    threads.emplace_back([&sums, t, lists] { sums[t] = work(t, lists); });
  }
  std::uint64_t sum = 0;
  for (int t = 0; t < arguments.threads; ++t) {
    threads[static_cast<std::size_t>(t)].join();
    sum += sums[t];
  }
  print_checksum(sum);
}
