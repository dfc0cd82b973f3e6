#include <cstddef>
#include <cstdint>

#include "check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  steward::trace::check_trace(bytes);
  steward::trace::check_block_contents(bytes);
  return 0;
}
