// jbb's Company.elapsed_time: a 64-bit statistic that its owner updates and another thread reports.
#include <cstdint>
#include <cstdio>
#include <thread>

#include "meeting.h"

struct Company {
  std::int64_t elapsed_time = 0;
};
Company company;
Meeting day_over(2);

int main() {
  std::thread worker([] {
    for (int day = 1; day <= 3; ++day) company.elapsed_time = day * 0x1'0000'0001;
    day_over.wait();
  });
  std::int64_t reported = 0;
  std::thread clerk([&] {
    day_over.wait();
    reported = company.elapsed_time;
  });
  worker.join();
  clerk.join();
  std::printf("elapsed %ld\n", static_cast<long>(reported));
}
