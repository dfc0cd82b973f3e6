#include "trace/text_line.h"

#include <array>
#include <fmt/format.h>
#include <iterator>

#include "trace/rules.h"
#include "trace/text_spelling.h"

namespace steward::trace {

namespace {

constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (const char c : {',', '(', ')', '|', '\n'}) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}();

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(const char* begin, const char* end) {
  while (begin != end && is_blank(*begin)) ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

const char* arguments_wanted(Operands o) {
  switch (o) {
    case Operands::None:
      return "no operand";
    case Operands::Access:
      return "(variable) or (variable,size)";
    case Operands::Sync:
      return "(sync object)";
    case Operands::Thread:
      return "(thread)";
    case Operands::Range:
      return "(variable,size)";
    case Operands::Move:
      return "(variable,variable,size)";
    case Operands::Reference:
      return "(variable,object)";
    case Operands::Function:
      return "(function)";
    case Operands::Count:
      return "(count)";
  }
  return "";
}

bool right_number(Operands o, unsigned count) {
  switch (o) {
    case Operands::None:
      return count == 0;
    case Operands::Access:
      return count == 1 || count == 2;
    case Operands::Range:
    case Operands::Reference:
      return count == 2;
    case Operands::Move:
      return count == 3;
    case Operands::Sync:
    case Operands::Thread:
    case Operands::Function:
    case Operands::Count:
      return count == 1;
  }
  return false;
}

constexpr std::string_view kSystemPrefix = "sys:";
constexpr std::string_view kDummy = "dummy(";  // RAPID's, no event

}  // namespace

TextLine::Outcome TextLine::parse(const char* begin, const char* end, Event& out) {
  at_ = begin;
  end_ = end;
  skip_blanks();
  if (at_ == end_ || *at_ == '#') return Outcome::Nothing;
  if (*at_ == '@') return parse_declaration() ? Outcome::Nothing : Outcome::Broken;
  const char* const line = at_;
  out = Event{};
  if (!parse_thread(out)) return Outcome::Broken;
  if (rest().substr(0, kDummy.size()) == kDummy) return Outcome::Nothing;
  if (!parse_operation(out) || !parse_site(out)) return Outcome::Broken;
  if (const char* rule = broken_rule(out)) {
    expected(rule, {line, static_cast<std::size_t>(end_ - line)});
    return Outcome::Broken;
  }
  return Outcome::Event;
}

bool TextLine::parse_thread(Event& out) {
  const std::string_view text = token();
  if (*at_ != '|' || at_ == end_) return expected("'|' after the thread", rest());
  ++at_;
  if (text == "*") {
    out.thread = kAllThreads;
    return true;
  }
  return thread(text, out.thread);
}

bool TextLine::parse_operation(Event& out) {
  skip_blanks();
  const char* const start = at_;
  if (rest().substr(0, kSystemPrefix.size()) == kSystemPrefix) {
    out.system = true;
    at_ += kSystemPrefix.size();
  }
  std::uint64_t word = 0;
  const char* const first = at_;
  while (*at_ >= 'a' && *at_ <= 'z') word = word << 8 | static_cast<unsigned char>(*at_++);
  const TextOp* op = at_ - first <= 8 ? kTextOpFinder.find(word) : nullptr;
  if (!op) {
    at_ = start;
    return expected("an operation (r, w, acq, rel, fork, join, ...)", token());
  }
  skip_blanks();
  const char* const open = at_;
  Arguments args;
  if (*at_ == '(' && !parse_arguments(args)) return false;
  if (op->kind == EventKind::ThreadEnd && args.count > 0) op = &kBlockEnd;
  if (!right_number(op->operands, args.count)) {
    return expected(arguments_wanted(op->operands), {open, static_cast<std::size_t>(at_ - open)});
  }
  out.kind = op->kind;
  out.mode = op->mode;
  out.atomic = op->atomic;
  return apply(*op, args, out);
}

// At '('. A pair of parentheses with nothing inside holds no operand.
bool TextLine::parse_arguments(Arguments& args) {
  const char* const open = at_;
  do {
    ++at_;
    if (args.count == 3) return expected_here("at most three operands");
    args.text[args.count++] = token();
  } while (*at_ == ',');
  if (*at_ != ')' || at_ == end_) return expected_here("')' after the operands");
  ++at_;
  skip_blanks();
  if (args.count == 1 && args.text[0].empty()) args.count = 0;
  for (unsigned i = 0; i < args.count; ++i) {
    if (args.text[i].empty()) {
      return expected("an operand", {open, static_cast<std::size_t>(at_ - open)});
    }
  }
  return true;
}

bool TextLine::parse_site(Event& out) {
  if (at_ == end_) return true;
  if (*at_ != '|') return expected_here("'|' or the end of the line");
  const std::string_view text = trimmed(at_ + 1, end_);
  if (text.empty()) return true;
  std::uint64_t id = 0;
  if (!name(NameKind::Site, text, id)) return false;
  out.site = SiteId{static_cast<std::uint32_t>(id)};
  return true;
}

bool TextLine::apply(const TextOp& op, const Arguments& args, Event& out) {
  switch (op.operands) {
    case Operands::None:
      return true;
    case Operands::Access:
      out.size = kDefaultAccessSize;
      if (args.count == 2 && !number(args.text[1], "a size", out.size)) return false;
      return address(args.text[0], out.size, out.address);
    case Operands::Sync:
      return sync(args.text[0], out.address);
    case Operands::Thread: {
      ThreadId target{};
      if (!thread(args.text[0], target)) return false;
      out.target = raw(target);
      return true;
    }
    case Operands::Range:
      return number(args.text[1], "a size", out.size) &&
             address(args.text[0], out.size, out.address);
    case Operands::Move:
      return number(args.text[2], "a size", out.size) &&
             address(args.text[0], out.size, out.address) &&
             address(args.text[1], out.size, out.other);
    case Operands::Reference:
      return address(args.text[0], 0, out.address) && number(args.text[1], "an object", out.other);
    case Operands::Function: {
      std::uint64_t id = 0;
      if (!name(NameKind::Function, args.text[0], id)) return false;
      out.target = static_cast<std::uint32_t>(id);
      return true;
    }
    case Operands::Count:
      return number(args.text[0], "a count", out.size);
  }
  return false;
}

bool TextLine::thread(std::string_view text, ThreadId& out) {
  if (text.empty() || text == "*") return expected("a thread", text);
  std::uint64_t id = 0;
  if (!name(NameKind::Thread, text, id)) return false;
  out = ThreadId{static_cast<std::uint32_t>(id)};
  return true;
}

bool TextLine::sync(std::string_view text, std::uint64_t& out) {
  if (text.substr(0, 2) == "0x") return number(text, "a sync object", out);
  return name(NameKind::Sync, text, out);
}

// `size` bytes from the address on are meant; those of a named variable stay inside it.
bool TextLine::address(std::string_view text, std::uint64_t size, std::uint64_t& out) {
  if (text.substr(0, 2) == "0x") return number(text, "an address", out);
  std::uint64_t offset = 0;
  std::string_view base = text;
  if (text.back() >= '0' && text.back() <= '9') {
    const std::size_t mark = text.find_last_not_of("0123456789");
    if (mark != text.npos && text[mark] == '+') {
      if (!number(text.substr(mark + 1), "an offset", offset)) return false;
      base = text.substr(0, mark);
      if (base.empty()) return expected("a variable before '+'", text);
      if (offset >= kAddressEnd) return expected("an offset below 2^63", text);
    }
  }
  if (!name(NameKind::Variable, base, out)) return false;
  const bool inside = offset < kNamedStride && size <= kNamedStride - offset;
  if (out >= kNamedBase && !inside) {
    return expected("bytes within the 16 of a named variable",
                    {text.data(), static_cast<std::size_t>(at_ - text.data())});
  }
  out += offset;
  return true;
}

bool TextLine::number(std::string_view text, const char* what, std::uint64_t& out) {
  const auto value = parse_number(text);
  if (!value) return expected(what, text);
  out = *value;
  return true;
}

bool TextLine::name(NameKind kind, std::string_view text, std::uint64_t& out) {
  if (const auto id = default_form(kind, text)) {
    if (!valid_id(kind, *id)) return expected("a site from #1 on", text);
    out = *id;
    return true;
  }
  const std::string_view n = unescaped(text, scratch_);
  if (n.size() > kMaxNameLength) return expected("a name of at most 65535 bytes", text);
  out = names_->table(kind).intern(n);
  return true;
}

// @thread 5 main
bool TextLine::parse_declaration() {
  const char* const start = at_++;
  while (at_ != end_ && !is_blank(*at_)) ++at_;
  const auto kind = declared_kind({start + 1, static_cast<std::size_t>(at_ - start - 1)});
  if (!kind) {
    return expected("@thread, @var, @sync, @site or @function",
                    {start, static_cast<std::size_t>(at_ - start)});
  }
  skip_blanks();
  const char* const digits = at_;
  while (at_ != end_ && !is_blank(*at_)) ++at_;
  const std::string_view id_text(digits, static_cast<std::size_t>(at_ - digits));
  std::uint64_t id = 0;
  if (!number(id_text, "the number of an id", id)) return false;
  if (!valid_id(*kind, id)) return expected("an id of that kind", id_text);
  const std::string_view text = trimmed(at_, end_);
  if (text.empty()) return expected("a name", text);
  const std::string_view n = unescaped(text, scratch_);
  if (n.size() > kMaxNameLength) return expected("a name of at most 65535 bytes", text);
  NameTable& table = names_->table(*kind);
  if (table.name_of(id) == n) return true;
  if (!table.name_of(id).empty()) return expected("an id without a name", id_text);
  if (table.id_of(n)) return expected("a name not given before", text);
  table.define(id, n);
  return true;
}

std::string_view TextLine::token() {
  const char* const begin = at_;
  while (!kStops[static_cast<unsigned char>(*at_)]) ++at_;
  return trimmed(begin, at_);
}

std::string_view TextLine::rest() const {
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

void TextLine::skip_blanks() {
  while (is_blank(*at_)) ++at_;
}

bool TextLine::expected(const char* what, std::string_view found) {
  expected_ = what;
  found_ = found;
  return false;
}

std::string TextLine::complaint() const {
  const bool at_end = found_.empty() && found_.data() == end_;
  return fmt::format("expected {}, found {}", expected_,
                     at_end ? "the end of the line" : quoted(found_));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (text.empty()) return "nothing";
  std::string out = "'";
  for (const char c : text.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > kShown ? "...'" : "'";
  return out;
}

}  // namespace steward::trace
