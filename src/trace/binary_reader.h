#pragma once

#include <memory>

#include "trace/reader.h"
#include "trace/source.h"

namespace steward::trace {

std::unique_ptr<Reader> make_binary_reader(Input input);

}  // namespace steward::trace
