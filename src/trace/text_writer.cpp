// Events -> text. The reader gives ids to names in order of appearance; where that would not give
// back the id of an event, a declaration line says it first.
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <unordered_set>
#include <vector>

#include "trace/rules.h"
#include "trace/text_ops.h"
#include "trace/text_spelling.h"
#include "trace/writer.h"

namespace steward::trace {

namespace {

constexpr std::size_t kFlushAt = 256 * 1024;

// The names of one kind as far as they were used in the text.
class Spellings {
 public:
  Spellings(NameKind kind, const NameTable& names, std::uint64_t first, std::uint64_t stride)
      : kind_(kind), names_(&names), next_(first), stride_(stride) {}

  // The spelling of a named id; what has to be declared before is appended to `declarations`.
  const std::string& of(std::size_t index, std::string& declarations) {
    if (index >= spelt_.size()) spelt_.resize(names_->size());
    std::string& spelling = spelt_[index];
    if (spelling.empty()) introduce(index, spelling, declarations);
    return spelling;
  }

  const NameTable& names() const { return *names_; }

 private:
  void introduce(std::size_t index, std::string& spelling, std::string& declarations) {
    const auto& [id, name] = (*names_)[index];
    spelling = escaped(kind_, name);
    while (declared_.contains(next_)) next_ += stride_;
    if (id == next_) {
      next_ += stride_;
      return;
    }
    declared_.insert(id);
    const bool address = kind_ == NameKind::Variable || kind_ == NameKind::Sync;
    fmt::format_to(std::back_inserter(declarations), "@{} {} {}\n", declaration_word(kind_),
                   address ? fmt::format("{:#x}", id) : fmt::to_string(id), spelling);
  }

  NameKind kind_;
  const NameTable* names_;
  std::uint64_t next_;  // what the reader gives the next new name
  std::uint64_t stride_;
  std::vector<std::string> spelt_;  // by the index of the name; empty: not used yet
  std::unordered_set<std::uint64_t> declared_;
};

class TextWriter final : public Writer {
 public:
  TextWriter(std::unique_ptr<Sink> sink, const Names& names)
      : Writer(std::move(sink)), names_(&names) {
    Names fresh;
    for (unsigned k = 0; k < kNameKinds; ++k) {
      const auto kind = static_cast<NameKind>(k);
      spellings_.emplace_back(kind, names.table(kind), fresh.table(kind).next_id(),
                              fresh.table(kind).stride());
    }
  }

  void write(std::span<const Event> events) override {
    for (const Event& e : events) {
      if (!ok()) return;
      if (const char* rule = broken_rule(e)) {
        error_ = Error{fmt::format("event {}: expected {}", events_, rule)};
        return;
      }
      append(e);
      ++events_;
      if (out_.size() >= kFlushAt) flush();
    }
  }

  void flush() override {
    sink_->write(out_);
    out_.clear();
  }

  void cut(Cut, std::uint64_t at) override {
    out_ += fmt::format("# the recording ended here, at its limit of {} bytes\n", at);
  }

  void finish() override {
    flush();
    sink_->close();
  }

 private:
  void append(const Event& e) {
    const TextOp* const op = op_of(e);
    line_.clear();
    if (e.thread == kAllThreads) {
      line_ += '*';
    } else {
      name(NameKind::Thread, raw(e.thread));
    }
    line_ += '|';
    if (e.system) line_ += "sys:";
    line_ += op->word;
    if (op->operands != Operands::None) {
      line_ += '(';
      append_operands(*op, e);
      line_ += ')';
    }
    if (e.site != kNoSite) {
      line_ += '|';
      name(NameKind::Site, raw(e.site));
    }
    line_ += '\n';
    // Declarations went to out_ while the line was made: they precede it.
    out_ += line_;
  }

  void append_operands(const TextOp& op, const Event& e) {
    switch (op.operands) {
      case Operands::None:
        break;
      case Operands::Access: {
        const bool by_name = variable(e.address, e.size);
        if (!by_name || e.size != kDefaultAccessSize) comma_number(e.size);
        break;
      }
      case Operands::Sync:
        name(NameKind::Sync, e.address);
        break;
      case Operands::Thread:
        name(NameKind::Thread, e.target);
        break;
      case Operands::Range:
        variable(e.address, e.size);
        comma_number(e.size);
        break;
      case Operands::Move:
        variable(e.address, e.size);
        line_ += ',';
        variable(e.other, e.size);
        comma_number(e.size);
        break;
      case Operands::Reference:
        variable(e.address, 0);
        line_ += ',';
        hex(e.other);
        break;
      case Operands::Function:
        name(NameKind::Function, e.target);
        break;
      case Operands::Count:
        number(e.size);
        break;
    }
  }

  void name(NameKind kind, std::uint64_t id) {
    Spellings& s = spellings_[static_cast<std::size_t>(kind)];
    const std::size_t index = s.names().index_of(id);
    if (index != s.names().size()) {
      line_ += s.of(index, out_);
      return;
    }
    switch (kind) {
      case NameKind::Thread:
        line_ += 'T';
        break;
      case NameKind::Site:
      case NameKind::Function:
        line_ += '#';
        break;
      case NameKind::Variable:
      case NameKind::Sync:
        hex(id);
        return;
    }
    number(id);
  }

  // True when the variable was written by its name.
  bool variable(Address address, std::uint64_t size) {
    const auto part = find_variable(*names_, address);
    // What the reader would refuse as not inside the variable is written as a number.
    const bool bounded = address >= kNamedBase;
    if (!part || (bounded && (size > kNamedStride || part->offset > kNamedStride - size))) {
      hex(address);
      return false;
    }
    name(NameKind::Variable, address - part->offset);
    if (part->offset) {
      line_ += '+';
      number(part->offset);
    }
    return true;
  }

  void comma_number(std::uint64_t v) {
    line_ += ',';
    number(v);
  }

  void number(std::uint64_t v) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), v).ptr;
    line_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

  void hex(std::uint64_t v) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), v, 16).ptr;
    line_ += "0x";
    line_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

  static const TextOp* op_of(const Event& e) {
    // Reads and writes are most of a trace and open the table.
    return e.is_access() ? &kTextOps[static_cast<std::size_t>(e.kind) + (e.atomic ? 2 : 0)]
                         : text_op(e);
  }

  const Names* names_;
  std::vector<Spellings> spellings_;
  std::string line_;
  std::string out_;
};

}  // namespace

std::unique_ptr<Writer> make_text_writer(std::unique_ptr<Sink> sink, const Names& names) {
  return std::make_unique<TextWriter>(std::move(sink), names);
}

}  // namespace steward::trace
