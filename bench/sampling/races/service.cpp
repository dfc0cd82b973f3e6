// Two workers that answer requests from memory of their own, and what they share without a lock:
// settings read once, a flag raised by one in the midst of the other's hot code, a byte of a
// record.
// clang-format off
// RACE: cold_setting once cold, cold
// RACE: hot_flag once cold, hot
// RACE: cold_byte once cold, cold (a byte beside others)
// clang-format on
#include <map>
#include <string>
#include <thread>

#include "race.h"

namespace {

struct Setting {
  long limit = 10;
  char state[8] = {};
};

Setting* setting;
bool stop ALONE;
bool never ALONE;

SITE void change_setting() {
  setting->limit = 20;
}
SITE long cold_setting() {
  return setting->limit;
}
SITE void raise_flag() {
  stop = true;
}
SITE bool hot_flag(const bool* flag) {
  return *flag;
}
SITE void mark_byte() {
  setting->state[5] = 1;
}
SITE void cold_byte() {
  setting->state[5] = 2;
}

void answer(Own* own, std::map<std::string, long>& table) {
  for (long i = 0; i < 1000; ++i) ++table["request " + std::to_string(i % 50)];
  churn(own);
}

void* first(void*) {
  Own* own = new_own();
  std::map<std::string, long> table;
  for (int stage = 1; stage <= 3; ++stage) {
    answer(own, table);
    if (stage == 1) change_setting();
    if (stage == 2) raise_flag();
    if (stage == 3) mark_byte();
    inv_post(stage);
  }
  free(own);
  return nullptr;
}

void* second(void*) {
  Own* own = new_own();
  std::map<std::string, long> table;
  for (int stage = 1; stage <= 3; ++stage) {
    answer(own, table);
    for (long i = 0; i < 20000; ++i) keep(hot_flag(&never));
    inv_wait(stage);
    if (stage == 1) keep(cold_setting());
    if (stage == 2) keep(hot_flag(&stop));
    if (stage == 3) cold_byte();
  }
  free(own);
  return nullptr;
}

}  // namespace

int main() {
  setting = new Setting;
  std::thread one(first, nullptr), two(second, nullptr);
  one.join();
  two.join();
  delete setting;
}
