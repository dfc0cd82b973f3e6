// Everyday C++: each thread builds maps from strings to vectors, strings too long for the buffer
// inside them, and lets them go again. Many small allocations, calls and virtual calls.
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernel.h"

namespace {

constexpr long kRounds = 220;  // of all threads
constexpr int kWords = 6'000;  // a round
constexpr int kDistinct = 1'500;

struct Shape {
  virtual ~Shape() = default;
  virtual uint64_t area() const = 0;
};

struct Square : Shape {
  explicit Square(uint64_t side) : side(side) {}
  uint64_t area() const override { return side * side; }
  uint64_t side;
};

struct Rectangle : Shape {
  Rectangle(uint64_t width, uint64_t height) : width(width), height(height) {}
  uint64_t area() const override { return width * height; }
  uint64_t width, height;
};

std::unique_ptr<Shape> shape_of(uint64_t number) {
  if (number % 2 == 0) return std::make_unique<Square>(number % 1000);
  return std::make_unique<Rectangle>(number % 1000, number / 1000 % 1000);
}

uint64_t round_of(uint64_t seed) {
  std::map<std::string, std::vector<std::unique_ptr<Shape>>> shapes;
  for (uint64_t i = 0; i < kWords; ++i) {
    const uint64_t number = mix(seed + i);
    shapes["a name long enough: " + std::to_string(number % kDistinct)].push_back(
        shape_of(number >> 16));
  }
  uint64_t sum = 0;
  for (const auto& [name, list] : shapes)
    for (const auto& shape : list) sum = sum * 31 + shape->area() + name.size();
  return sum;
}

void work(long begin, long end, uint64_t& result) {
  uint64_t sum = 0;
  for (long round = begin; round < end; ++round)
    sum += round_of(static_cast<uint64_t>(round) << 32);
  result = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const long rounds = scaled(kRounds, arguments);
  std::vector<uint64_t> results(arguments.threads);
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t)
    threads.emplace_back(work, rounds * t / arguments.threads, rounds * (t + 1) / arguments.threads,
                         std::ref(results[t]));
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (const uint64_t result : results) sum += result;
  print_checksum(sum);
}
