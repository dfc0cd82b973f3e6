// Figure 1: the balance is incremented under the account's lock, and decremented without.
#include "turns.h"

struct Account {
  long id = 7;
  double balance = 0;
  std::mutex lock;
  void inc(double by) {
    std::lock_guard<std::mutex> guard(lock);
    balance += by;
  }
  void dec(double by) {
    balance -= by;  // HERE
  }
};

int main() {
  auto* account = new Account;
  account->balance = 100;
  std::thread first([=] {
    account->inc(1);
    next_turn();
  });
  std::thread second([=] {
    wait_for(1);
    account->dec(1);
  });
  first.join();
  second.join();
  delete account;
}
