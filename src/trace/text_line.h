// One line of a text trace -> one event. The grammar is in docs/trace-format.md.
#pragma once

#include <string>
#include <string_view>

#include "event/event.h"
#include "trace/names.h"
#include "trace/text_ops.h"

namespace steward::trace {

class TextLine {
 public:
  explicit TextLine(Names& names) : names_(&names) {}

  enum class Outcome { Event, Nothing, Broken };

  // [begin, end) is the line; *end is a newline, which stops every scan. New names are added.
  Outcome parse(const char* begin, const char* end, Event& out);
  // After Broken: "expected ..., found ...".
  std::string complaint() const;

 private:
  struct Arguments {
    std::string_view text[3];
    unsigned count = 0;
  };

  bool parse_thread(Event& out);
  bool parse_operation(Event& out);
  bool parse_arguments(Arguments& args);
  bool parse_site(Event& out);
  bool parse_declaration();

  bool apply(const TextOp& op, const Arguments& args, Event& out);
  bool thread(std::string_view text, ThreadId& out);
  bool address(std::string_view text, std::uint64_t size, std::uint64_t& out);
  bool sync(std::string_view text, std::uint64_t& out);
  bool number(std::string_view text, const char* what, std::uint64_t& out);
  bool name(NameKind kind, std::string_view text, std::uint64_t& out);

  std::string_view token();  // up to the next , ( ) | or the end, trimmed
  bool expected(const char* what, std::string_view found);
  bool expected_here(const char* what) { return expected(what, rest()); }
  std::string_view rest() const;
  void skip_blanks();

  Names* names_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* expected_ = "";
  std::string_view found_;
  std::string scratch_;
};

// A piece of input as it appears in a message: quoted, short, printable.
std::string quoted(std::string_view text);

}  // namespace steward::trace
