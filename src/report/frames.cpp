#include "report/frames.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace steward::report {

namespace {

// What runs before main or a thread's function.
constexpr std::array kStarters = {
    "_start",
    "__libc_start_main",
    "__libc_start_call_main",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
    "execute_native_thread_routine",
    "_dl_start",
    "__libc_start_main_impl",
    "__clone_internal",
};

bool is_starter(const Frame& frame) {
  const std::string_view f = std::string_view(frame.function).substr(0, frame.function.find('@'));
  return std::find(kStarters.begin(), kStarters.end(), f) != kStarters.end();
}

// Where threads start in a stripped libc or libstdc++: symbols that are not for others to call.
bool is_nameless_starter(const Frame& frame) {
  return frame.function.empty() && starts_threads(frame.module);
}

// The text with what is nested deeper than `depth` in <> replaced by "...".
std::string cut_arguments(std::string_view text, int depth) {
  std::string out;
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // operator<, operator->, operator<=> are no brackets
    const bool is_operator = i >= 8 && text.substr(0, i).ends_with("operator");
    const bool arrow = i > 0 && text[i - 1] == '-';
    const bool bracket = !is_operator && !arrow;
    if (c == '>' && bracket && open > 0) --open;
    if (open <= depth) out += c;
    if (c == '<' && bracket) {
      if (open == depth) out += "...";
      ++open;
    }
  }
  return out;
}

}  // namespace

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_runtime(std::string_view module) {
  const std::string_view file = base_name(module);
  return file.starts_with("libtsan.so") || file.starts_with("libclang_rt.tsan");
}

bool starts_threads(std::string_view module) {
  const std::string_view file = base_name(module);
  return is_runtime(module) || file.starts_with("libc.so") || file.starts_with("libpthread.so") ||
         file.starts_with("libstdc++.so") || file.starts_with("libc++.so");
}

bool is_plumbing(const Frame& frame) {
  const bool library = frame.file.find("/include/c++/") != std::string::npos ||
                       frame.file.find("/bits/") != std::string::npos;
  return library || frame.function.starts_with("std::thread::_") ||
         frame.function.starts_with("std::__invoke") ||
         frame.function.find(" std::__invoke") != std::string::npos ||
         frame.function.find("std::__1::__thread_") != std::string::npos;
}

void trim(Stack& stack) {
  const auto ours = [](const Frame& f) { return is_runtime(f.module); };
  const auto first = std::find_if_not(stack.begin(), stack.end(), ours);
  if (first != stack.end()) stack.erase(stack.begin(), first);
  const auto main =
      std::find_if(stack.begin(), stack.end(), [](const Frame& f) { return f.function == "main"; });
  if (main != stack.end()) stack.erase(main + 1, stack.end());
  while (stack.size() > 1 &&
         (ours(stack.back()) || is_starter(stack.back()) || is_nameless_starter(stack.back()))) {
    stack.pop_back();
  }
}

Stack without_plumbing(const Stack& stack) {
  Stack out = stack;
  while (out.size() > 1 && is_plumbing(out.back())) out.pop_back();
  return out.size() == 1 && is_plumbing(out[0]) ? stack : out;
}

Stack programs_part(const Stack& stack) {
  Stack out = without_plumbing(stack);
  const auto first = std::find_if_not(out.begin(), out.end(), is_plumbing);
  if (first != out.end()) out.erase(out.begin(), first);
  return out;
}

std::string shortened(std::string_view function, std::size_t width) {
  if (function.size() <= width) return std::string(function);
  std::string out;
  for (int depth = 2; depth >= 0; --depth) {
    out = cut_arguments(function, depth);
    if (out.size() <= width) return out;
  }
  const std::size_t half = (width - 3) / 2;
  return fmt::format("{}...{}", out.substr(0, half), out.substr(out.size() - half));
}

std::string function_text(const Frame& frame) {
  if (!frame.function.empty()) return frame.function;
  if (!frame.module.empty()) {
    return fmt::format("({}+{:#x})", base_name(frame.module), frame.offset);
  }
  return fmt::format("{:#x}", frame.pc);
}

std::string readable_function(const Frame& frame) {
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"std::__cxx11::", "std::"},
      {"std::__1::", "std::"},
      {"std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"},
      {"std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
      {"std::basic_string_view<char, std::char_traits<char>>", "std::string_view"},
      {"std::basic_string_view<char, std::char_traits<char> >", "std::string_view"},
  };
  std::string out = function_text(frame);
  for (const auto& [long_name, name] : kSpellings) {
    for (std::size_t at = 0; (at = out.find(long_name, at)) != std::string::npos;) {
      out.replace(at, long_name.size(), name);
      at += name.size();
    }
  }
  return out;
}

std::string place_text(const Frame& frame) {
  if (frame.file.empty()) return {};
  std::string out = frame.file;
  if (frame.line != 0) out += fmt::format(":{}", frame.line);
  if (frame.line != 0 && frame.column != 0) out += fmt::format(":{}", frame.column);
  return out;
}

std::string relative(const std::string& path) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  if (error || here.size() < 2 || path.size() <= here.size() || !path.starts_with(here) ||
      path[here.size()] != '/') {
    return path;
  }
  return path.substr(here.size() + 1);
}

}  // namespace steward::report
