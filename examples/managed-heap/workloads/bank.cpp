// Accounts in an array, a lock for each; a transfer leaves a receipt that nobody keeps.
#include <cstdlib>

#include "workloads.h"

namespace managed {
namespace {

constexpr unsigned kThreads = 3, kAccounts = 8;
constexpr std::size_t kBank = 0;  // static variable
const Type kArray{"Account[]", Type::kAll};
const Type kAccount{"Account", 0};
const Type kReceipt{"Receipt", 2};
enum AccountField { kBalance, kTransfers };
enum ReceiptField { kFrom, kTo, kAmount };

void transfer(Mutator& m, world::Lock* locks, unsigned from, unsigned to) {
  Handle bank(m), a(m), b(m), receipt(m);
  get_static(m, bank, kBank);
  get_reference(a, bank, from);
  get_reference(b, bank, to);
  make(m, receipt, kReceipt, 3);
  put_reference(receipt, kFrom, a);
  put_reference(receipt, kTo, b);
  put(receipt, kAmount, 5);
  {
    const Locked locked(m, locks[from]);
    put(a, kBalance, get(a, kBalance) - get(receipt, kAmount));
    put(a, kTransfers, get(a, kTransfers) + 1);
  }
  const Locked locked(m, locks[to]);
  put(b, kBalance, get(b, kBalance) + get(receipt, kAmount));
}

void run(Mutator& m, unsigned rounds, bool racy) {
  Handle bank(m), account(m);
  make(m, bank, kArray, kAccounts);
  for (unsigned i = 0; i < kAccounts; ++i) {
    make(m, account, kAccount, 3);
    put(account, kBalance, 1000);
    put_reference(bank, i, account);
  }
  put_static(m, kBank, bank);
  world::Lock locks[kAccounts] = {world::Lock("account"), world::Lock("account"),
                                  world::Lock("account"), world::Lock("account"),
                                  world::Lock("account"), world::Lock("account"),
                                  world::Lock("account"), world::Lock("account")};
  in_threads(m, kThreads, [&locks, rounds, racy](Mutator& mine, unsigned t) {
    for (unsigned i = 0; i < rounds; ++i) {
      const unsigned from = (i * 3 + t) % kAccounts;
      transfer(mine, locks, from, (from + 1 + i % 5) % kAccounts);
      if (racy) {
        Handle all(mine), first(mine);
        get_static(mine, all, kBank);
        get_reference(first, all, 0);
        put(first, 2, get(first, 2) + 5);  // RACE: the total, outside all locks
      }
      mine.poll();
    }
  });
  long sum = 0;
  for (unsigned i = 0; i < kAccounts; ++i) {
    get_reference(account, bank, i);
    sum += get(account, kBalance);
  }
  if (sum != 1000 * kAccounts) std::abort();
}

}  // namespace

void bank(Mutator& m, unsigned rounds) {
  run(m, rounds, false);
}
void bank_racy(Mutator& m, unsigned rounds) {
  run(m, rounds, true);
}

}  // namespace managed
