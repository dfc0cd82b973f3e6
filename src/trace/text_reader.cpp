#include "trace/text_reader.h"

#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "trace/text_line.h"

namespace steward::trace {

namespace {

// Large enough to spread the cost of a virtual call, small enough for the events to stay in cache.
constexpr std::size_t kBatch = 2048;
constexpr std::size_t kChunk = 64 * 1024;

class TextReader final : public Reader {
 public:
  explicit TextReader(Input input) : input_(std::move(input)), line_(names_), events_(kBatch) {
    bytes_total_ = input_.source().size();
  }

  Format format() const override { return Format::Text; }

  std::span<const Event> next() override {
    std::size_t n = 0;
    while (n < kBatch && !error_) {
      const std::size_t before = n;
      n = parse_window(n);
      if (n == before && !more()) break;
    }
    bytes_read_ = input_.offset();
    return {events_.data(), n};
  }

 private:
  // Parses whole lines of the window until the batch is full.
  std::size_t parse_window(std::size_t n) {
    char* const data = input_.data();
    char* const end = data + input_.window().size();
    char* at = data;
    while (n < kBatch && at != end && !error_) {
      auto* const eol =
          static_cast<char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (!eol) break;
      n += parse(at, eol, n);
      at = eol + 1;
    }
    input_.consume(static_cast<std::size_t>(at - data));
    return n;
  }

  // No whole line is left in the window: gets more bytes.
  bool more() {
    const std::size_t have = input_.window().size();
    if (have > kMaxLine) {
      ++line_number_;
      fail_length(input_.window());
      return false;
    }
    if (input_.fill(have + kChunk).size() > have) return true;
    if (input_.error()) {
      error_ = input_.error();
      return false;
    }
    if (have == 0) return false;
    input_.append('\n');  // the last line may lack it
    return true;
  }

  // 1 when the line holds an event, which is then the n-th of the batch.
  std::size_t parse(char* begin, char* end, std::size_t n) {
    ++line_number_;
    if (const auto length = static_cast<std::size_t>(end - begin); length > kMaxLine) {
      fail_length({begin, length});
      return 0;
    }
    if (end != begin && end[-1] == '\r') *--end = '\n';
    switch (line_.parse(begin, end, events_[n])) {
      case TextLine::Outcome::Event:
        return 1;
      case TextLine::Outcome::Nothing:
        return 0;
      case TextLine::Outcome::Broken:
        break;
    }
    fail(line_.complaint());
    return 0;
  }

  void fail_length(std::string_view line) {
    fail(fmt::format("expected a line of at most {} bytes, found {}", kMaxLine, quoted(line)));
  }

  void fail(const std::string& complaint) {
    error_ = Error{fmt::format("{}:{}: {}", input_.name(), line_number_, complaint)};
  }

  Input input_;
  TextLine line_;
  std::vector<Event> events_;
  std::uint64_t line_number_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_text_reader(Input input) {
  return std::make_unique<TextReader>(std::move(input));
}

}  // namespace steward::trace
