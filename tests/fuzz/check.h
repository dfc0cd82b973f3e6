// What must hold for any bytes at all: no crash, and whatever is read is written and read again
// unchanged, in both formats. A violation aborts.
#pragma once

#include <string_view>

namespace steward::trace {

// The bytes are a trace of either format.
void check_trace(std::string_view bytes);
// The bytes are the contents of a binary trace's blocks: with the checksums set right, damage gets
// past them and into the decoders.
void check_block_contents(std::string_view bytes);

}  // namespace steward::trace
