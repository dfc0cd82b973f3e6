// Four clients ask a cache that is too small for all keys. Every request must be counted.
#include "cache.h"

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kClients = 4;
constexpr int kRequests = 20'000;
constexpr int kKeys = 64;

void client(Cache& cache, int seed) {
  unsigned random = static_cast<unsigned>(seed);
  for (int i = 0; i < kRequests; ++i) {
    random = random * 1664525 + 1013904223;
    const std::string key = "key" + std::to_string(random >> 26);
    if (!cache.get(key)) cache.put(key, i);
  }
}

}  // namespace

int main() {
  Cache cache(kKeys / 2);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) clients.emplace_back(client, std::ref(cache), i + 1);
  for (std::thread& thread : clients) thread.join();

  const long counted = cache.hits() + cache.misses();
  std::printf("%ld hits, %ld misses, %d requests\n", cache.hits(), cache.misses(),
              kClients * kRequests);
  if (counted == kClients * kRequests) return 0;
  std::printf("FAILED: %ld requests were not counted\n", kClients * kRequests - counted);
  return 1;
}
