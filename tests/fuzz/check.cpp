#include "check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "trace/binary_format.h"
#include "trace/block.h"
#include "trace/feasibility.h"
#include "trace/reader.h"
#include "trace/rules.h"
#include "trace/writer.h"

namespace steward::trace {

namespace {

[[noreturn]] void violated(const char* what) {
  std::fprintf(stderr, "fuzz check violated: %s\n", what);
  std::abort();
}

struct Trace {
  std::unique_ptr<Reader> reader;  // null when it could not be opened
  std::vector<Event> events;
};

Trace read(std::string_view bytes) {
  Opened opened = open_trace_in_memory(bytes);
  if (!opened.reader == !opened.error) violated("a reader or an error");
  Trace t{std::move(opened.reader), {}};
  if (!t.reader) return t;
  Feasibility feasibility(t.reader->names());
  for (auto batch = t.reader->next(); !batch.empty(); batch = t.reader->next()) {
    for (const Event& e : batch) {
      if (broken_rule(e)) violated("events keep the rules");
      static_cast<void>(feasibility.check(e));
    }
    t.events.insert(t.events.end(), batch.begin(), batch.end());
  }
  if (t.reader->error() && t.reader->error()->message.find('\n') != std::string::npos) {
    violated("an error is one line");
  }
  return t;
}

std::string write(Format format, const Trace& t) {
  std::string out;
  // Without zstd, whose set-up would take most of a run.
  const auto writer = format == Format::Text
                          ? make_text_writer(sink_to_memory(out), t.reader->names())
                          : make_binary_writer(sink_to_memory(out), t.reader->names(),
                                               {.block_events = 5, .zstd_level = 0});
  writer->write(t.events);
  writer->finish();
  if (!writer->ok()) violated("what was read can be written");
  return out;
}

Trace read_again(Format format, const std::string& bytes, const std::vector<Event>& events) {
  Trace t = read(bytes);
  // Text without events is an empty file, which is no trace.
  if (format == Format::Text && bytes.empty()) return t;
  if (!t.reader) violated("what was written can be opened");
  if (t.reader->error() || t.reader->partial()) violated("what was written can be read");
  if (t.events != events) violated("events come back unchanged");
  return t;
}

}  // namespace

void check_trace(std::string_view bytes) {
  const Trace t = read(bytes);
  if (!t.reader) return;
  const std::string text = write(Format::Text, t);
  const std::string binary = write(Format::Binary, t);
  const Trace from_text = read_again(Format::Text, text, t.events);
  const Trace from_binary = read_again(Format::Binary, binary, t.events);
  if (write(Format::Text, from_binary) != text) violated("binary keeps the text");
  if (from_text.reader && write(Format::Text, from_text) != text) violated("text keeps the text");
}

void check_block_contents(std::string_view bytes) {
  if (bytes.size() < 2) return;
  // The first two bytes say how many names and events to expect; the contents are split in the
  // middle, and taken whole for either.
  const auto names_count = static_cast<unsigned char>(bytes[0]);
  const auto events_count = static_cast<unsigned char>(bytes[1]);
  const std::string_view contents = bytes.substr(2);
  const FileHeader header{kMagic, kVersion, 0};
  BlockPacker packer(0);
  for (const std::size_t split : {std::size_t{0}, contents.size() / 2, contents.size()}) {
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    if (split > 0) file += packer.pack(BlockType::Names, names_count, contents.substr(0, split));
    file += packer.pack(BlockType::Events, events_count, contents.substr(split));
    file += packer.pack(BlockType::Index, names_count, contents);
    check_trace(file);
  }
}

}  // namespace steward::trace
