#pragma once

#include <memory>

#include "trace/reader.h"
#include "trace/source.h"

namespace steward::trace {

// Longer lines are refused, so that a file of something else is not read into memory whole. Holds
// any line the writer makes: four names of full length, every byte escaped.
inline constexpr std::size_t kMaxLine = std::size_t{1} << 20;

std::unique_ptr<Reader> make_text_reader(Input input);

}  // namespace steward::trace
