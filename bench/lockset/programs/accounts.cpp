// Truly shared: accounts on the heap, each with its own lock, and threads that move money between
// any two of them.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../../live/kernels/kernel.h"

namespace {

constexpr std::uint64_t kAccounts = 200;
constexpr long kTransfers = 400000;

struct Account {
  std::mutex lock;
  std::uint64_t balance = 1000;
};
std::unique_ptr<Account> accounts[kAccounts];

void work(std::uint64_t thread, std::uint64_t transfers) {
  for (std::uint64_t i = 0; i < transfers; ++i) {
    const std::uint64_t r = mix(thread * 1000003 + i);
    Account& from = *accounts[r % kAccounts];
    Account& to = *accounts[r / kAccounts % kAccounts];
    if (&from == &to) continue;
    std::scoped_lock guard(from.lock, to.lock);
    from.balance -= 1;
    to.balance += 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const auto transfers = static_cast<std::uint64_t>(scaled(kTransfers, arguments));
  for (auto& a : accounts) a = std::make_unique<Account>();
  std::vector<std::thread> threads;
  for (int t = 0; t < arguments.threads; ++t) {
    threads.emplace_back(work, static_cast<std::uint64_t>(t), transfers);
  }
  for (std::thread& t : threads) t.join();
  std::uint64_t sum = 0;
  for (const auto& a : accounts) sum += mix(a->balance);
  print_checksum(sum);
}
