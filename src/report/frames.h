// Which frames a reader wants to see, and how they are written.
#pragma once

#include <string>
#include <string_view>

#include "report/model.h"

namespace steward::report {

// Our library, which lives in every process under test under ThreadSanitizer's names.
bool is_runtime(std::string_view module);
// A library in which the outermost frames of a stack lie: ours, libc, libstdc++.
bool starts_threads(std::string_view module);

// Drops our own frames at the top, and at the bottom all that comes before main or a thread's
// function. Never all of them.
void trim(Stack& stack);

// The standard library's own: between a thread and its function, inside a container.
bool is_plumbing(const Frame& frame);

// Drops what the standard library puts between a thread and its function. For people, not for
// machines.
Stack without_plumbing(const Stack& stack);

// The same at both ends: where the program itself created a thread or allocated memory.
Stack programs_part(const Stack& stack);

// Cuts template arguments, then the middle, until it fits.
std::string shortened(std::string_view function, std::size_t width);

// "main", or what is known of a frame without a name: "(app+0x1234)", "0x7f00".
std::string function_text(const Frame& frame);
// The same as people write it: std::string, and no inline namespaces of the library's.
std::string readable_function(const Frame& frame);
// "dir/file.cpp:12:3", without what is not known; empty: no file.
std::string place_text(const Frame& frame);

std::string_view base_name(std::string_view path);
// Relative to the folder we are in, when it is below.
std::string relative(const std::string& path);

}  // namespace steward::report
