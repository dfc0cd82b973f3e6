#include "trace/reader.h"

#include <algorithm>
#include <fmt/format.h>

#include "trace/binary_format.h"
#include "trace/binary_reader.h"
#include "trace/source.h"
#include "trace/text_reader.h"

namespace steward::trace {

namespace {

Opened open_input(Input input) {
  const std::string_view window = input.fill(1);
  if (input.error()) return {nullptr, input.error()};
  if (window.empty()) {
    return {nullptr, Error{fmt::format("{}: expected a trace, found nothing", input.name())}};
  }
  if (window[0] == kMagic[0]) return {make_binary_reader(std::move(input)), std::nullopt};
  return {make_text_reader(std::move(input)), std::nullopt};
}

}  // namespace

double Reader::progress() const {
  if (bytes_total_ == 0) return 0;
  return std::min(1.0, static_cast<double>(bytes_read_) / static_cast<double>(bytes_total_));
}

Opened open_trace(const std::string& path) {
  OpenedSource opened = open_source(path);
  if (!opened.source) return {nullptr, opened.error};
  return open_input(Input(std::move(opened.source), path == "-" ? "<stdin>" : path));
}

Opened open_trace_in_memory(std::string_view bytes, const std::string& name) {
  return open_input(Input(source_in_memory(bytes), name));
}

}  // namespace steward::trace
