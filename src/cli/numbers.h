// Numbers as a person reads them. The same in every locale: output is compared by tests.
#pragma once

#include <cstdint>
#include <string>

namespace steward::cli {

std::string grouped(std::uint64_t n);                        // 1,234,567
std::string counted(std::uint64_t n, const char* noun);      // 1 event, 2,000 events
std::string percent(double share);                           // 0.5 -> 50.0%; NaN -> -
std::string bytes_text(std::uint64_t bytes);                 // 640 B, 12.3 kB, 4.5 MB
std::string seconds_text(double seconds);                    // 12 us, 3.4 ms, 5.67 s
std::string rate_text(std::uint64_t count, double seconds);  // 12.3M a second

// a / b, or NaN when there is nothing to share.
double share(std::uint64_t a, std::uint64_t b);

}  // namespace steward::cli
