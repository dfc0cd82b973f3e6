// Text from another process: any bytes at all, on their way to JSON or to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace steward::report {

// Bytes that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);

// Undoes the escapes of a raw record, where \u00XX stands for one byte XX: a path need not be
// UTF-8. Characters beyond stay what they are.
std::string bytes_of(std::string_view text);

// Valid, and without control characters: what a name says must not steer the terminal.
std::string printable(std::string_view text);

}  // namespace steward::report
