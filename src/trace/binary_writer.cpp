#include "trace/binary_writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "trace/binary_format.h"
#include "trace/rules.h"

namespace steward::trace {

namespace {

// A block of unusually long events ends here instead of at its number of events.
constexpr std::size_t kFullRaw = kMaxRaw / 2;
static_assert(kFullRaw + kMaxEventBytes < kMaxRaw);

}  // namespace

BinaryWriter::BinaryWriter(std::unique_ptr<Sink> sink, const Names& names,
                           const BinaryOptions& options)
    : Writer(std::move(sink)),
      names_(&names),
      new_names_(names),
      packer_(options.zstd_level),
      block_events_(std::max(options.block_events, 1u)) {
  FileHeader header{};
  header.magic = kMagic;
  header.version = kVersion;
  sink_->write({reinterpret_cast<const char*>(&header), sizeof header});
}

void BinaryWriter::write(std::span<const Event> events) {
  for (const Event& e : events) {
    if (!ok()) return;
    if (const char* rule = broken_rule(e)) {
      error_ = Error{fmt::format("event {}: expected {}", events_, rule)};
      return;
    }
    encoder_.add(e);
    ++events_;
    if (encoder_.count() >= block_events_ || encoder_.bytes().size() >= kFullRaw) flush();
  }
}

void BinaryWriter::write(const EncodedBlock& block) {
  if (!ok() || block.count == 0) return;
  put_block(BlockType::Events, block.count, block.bytes());
  events_ += block.count;
  threads_ = block.threads;
}

// A block leaves in one write, after the names it uses: whatever reached the file can be read.
void BinaryWriter::flush() {
  write_names();
  if (encoder_.count() == 0) return;
  put_block(BlockType::Events, encoder_.count(), encoder_.bytes());
  threads_ = encoder_.threads();
  encoder_.clear();
}

void BinaryWriter::cut(Cut why, std::uint64_t at) {
  flush();
  std::string raw(1, static_cast<char>(why));
  raw.append(reinterpret_cast<const char*>(&at), sizeof at);
  put_block(BlockType::Cut, 1, raw);
}

void BinaryWriter::finish() {
  flush();
  index_.totals = {events_, threads_, names_->table(NameKind::Site).size()};
  const std::string raw = encode_index(index_);
  Footer footer{};
  footer.magic = kEndMagic;
  footer.index_offset = sink_->bytes();
  footer.hash = hash_bytes(&footer, kHashedFooter);
  sink_->write(
      packer_.pack(BlockType::Index, static_cast<std::uint32_t>(index_.blocks.size()), raw));
  sink_->write({reinterpret_cast<const char*>(&footer), sizeof footer});
  sink_->close();
}

void BinaryWriter::write_names() {
  std::uint32_t count = 0;
  for (std::string_view raw = new_names_.next(count); count > 0; raw = new_names_.next(count)) {
    put_block(BlockType::Names, count, raw);
  }
}

void BinaryWriter::put_block(BlockType type, std::uint32_t count, std::string_view raw) {
  if (index_.blocks.size() < kMaxIndexed) {
    index_.blocks.push_back({static_cast<std::uint8_t>(type), sink_->bytes(), count});
  }
  sink_->write(packer_.pack(type, count, raw));
}

std::unique_ptr<Writer> make_binary_writer(std::unique_ptr<Sink> sink, const Names& names,
                                           const BinaryOptions& options) {
  return std::make_unique<BinaryWriter>(std::move(sink), names, options);
}

std::unique_ptr<Writer> make_writer(Format format, std::unique_ptr<Sink> sink, const Names& names) {
  return format == Format::Text ? make_text_writer(std::move(sink), names)
                                : make_binary_writer(std::move(sink), names);
}

}  // namespace steward::trace
