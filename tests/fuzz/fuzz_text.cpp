#include <cstddef>
#include <cstdint>

#include "check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  steward::trace::check_trace({reinterpret_cast<const char*>(data), size});
  return 0;
}
