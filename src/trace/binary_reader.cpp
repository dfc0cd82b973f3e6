#include "trace/binary_reader.h"

#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "trace/binary_format.h"
#include "trace/block.h"
#include "trace/event_decoder.h"
#include "trace/tables.h"

namespace steward::trace {

namespace {

// The events of a batch stay in the first or second cache while they are analysed.
constexpr std::size_t kBatch = 2048;

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

class BinaryReader final : public Reader {
 public:
  explicit BinaryReader(Input input) : input_(std::move(input)), events_(kBatch) {
    bytes_total_ = input_.source().size();
    find_totals();
  }

  Format format() const override { return Format::Binary; }

  std::span<const Event> next() override {
    while (!done_) {
      if (decoder_.left() == 0 && !next_block()) break;
      const std::size_t n = decoder_.decode(events_);
      if (!decoder_.broken().empty()) fail(block_offset_, decoder_.broken());
      events_read_ += n;
      if (n > 0) return {events_.data(), n};
    }
    return {};
  }

 private:
  // What the footer and the index say, when the input can be read out of order. Nothing is
  // reported here: what is wrong there shows again where it stands.
  void find_totals() {
    Footer footer;
    if (bytes_total_ < sizeof(FileHeader) + sizeof footer) return;
    const std::uint64_t footer_at = bytes_total_ - sizeof footer;
    Source& source = input_.source();
    if (!source.read_at(footer_at, reinterpret_cast<char*>(&footer), sizeof footer)) return;
    if (!sound(footer) || footer.index_offset > footer_at - sizeof(BlockHeader)) return;
    BlockHeader header;
    if (!source.read_at(footer.index_offset, reinterpret_cast<char*>(&header), sizeof header)) {
      return;
    }
    if (!broken_header(header).empty() ||
        header.type != static_cast<std::uint8_t>(BlockType::Index)) {
      return;
    }
    std::vector<char> stored(header.stored_size);
    if (!source.read_at(footer.index_offset + sizeof header, stored.data(), stored.size())) return;
    BlockUnpacker unpacker;
    if (!unpacker.unpack(header, {stored.data(), stored.size()}).empty()) return;
    if (const auto index = decode_index(unpacker.raw(), header.count)) totals_ = index->totals;
  }

  static bool sound(const Footer& footer) {
    return footer.magic == kEndMagic && footer.hash == hash_bytes(&footer, kHashedFooter);
  }

  // Reads on to the next block of events. False at the end, and at a broken place.
  bool next_block() {
    if (!header_read_ && !read_file_header()) return false;
    for (;;) {
      const std::uint64_t offset = input_.offset();
      const std::string_view window = input_.fill(sizeof(BlockHeader));
      if (window.size() < sizeof(BlockHeader)) return end_early("a block");
      const auto header = load<BlockHeader>(window.data());
      if (const std::string broken = broken_header(header); !broken.empty()) {
        return fail(offset, broken);
      }
      const std::size_t whole = sizeof header + header.stored_size;
      if (input_.fill(whole).size() < whole) return end_early("the rest of a block");
      if (header.type < kFirstOptionalType ||
          static_cast<BlockType>(header.type) == BlockType::Cut) {
        const std::string broken =
            unpacker_.unpack(header, input_.window().substr(sizeof header, header.stored_size));
        if (!broken.empty()) return fail(offset, broken);
      }
      input_.consume(whole);
      bytes_read_ = input_.offset();
      switch (static_cast<BlockType>(header.type)) {
        case BlockType::Names: {
          const std::string broken = decode_names(unpacker_.raw(), header.count, names_);
          if (!broken.empty()) return fail(offset, broken);
          break;
        }
        case BlockType::Events: {
          const std::string_view raw = unpacker_.raw();
          block_offset_ = offset;
          decoder_.start(raw.data(), raw.size(), header.count);
          if (!decoder_.broken().empty()) return fail(offset, decoder_.broken());
          if (header.count > 0) return true;
          break;
        }
        case BlockType::Cut:
          if (!read_cut(unpacker_.raw())) {
            return fail(offset, "expected why the trace ends, found other bytes");
          }
          break;
        case BlockType::Index:
          return read_end(offset, header.count);
      }
    }
  }

  bool read_cut(std::string_view raw) {
    std::uint64_t at;
    if (raw.size() != 1 + sizeof at || raw[0] != static_cast<char>(Cut::SizeLimit)) return false;
    std::memcpy(&at, raw.data() + 1, sizeof at);
    partial_ = fmt::format(
        "{}: partial trace: the recording ended at its limit of {} bytes, the program went on",
        input_.name(), at);
    return true;
  }

  bool read_file_header() {
    const std::string_view window = input_.fill(sizeof(FileHeader));
    const std::size_t n = std::min(window.size(), kMagic.size());
    if (std::memcmp(window.data(), kMagic.data(), n) != 0) {
      return fail(0, "expected the magic bytes of a trace, found others");
    }
    if (window.size() < sizeof(FileHeader)) return end_early("the file header");
    const auto header = load<FileHeader>(window.data());
    if (!known_version(header.version)) {
      return fail(8,
                  fmt::format("expected version 1, 2 or {}, found {}", kVersion, header.version));
    }
    if (header.flags != 0) return fail(12, fmt::format("expected flags 0, found {}", header.flags));
    input_.consume(sizeof header);
    header_read_ = true;
    return true;
  }

  // The index was read: the footer and nothing else follows. Always false.
  bool read_end(std::uint64_t index_offset, std::uint32_t listed) {
    const auto index = decode_index(unpacker_.raw(), listed);
    if (!index) return fail(index_offset, "expected an index, found other bytes");
    if (index->totals.events != events_read_) {
      return fail(index_offset, fmt::format("expected {} events as the index says, found {}",
                                            index->totals.events, events_read_));
    }
    const std::uint64_t offset = input_.offset();
    const std::string_view window = input_.fill(sizeof(Footer) + 1);
    if (window.size() < sizeof(Footer)) return end_early("the footer");
    const auto footer = load<Footer>(window.data());
    if (!sound(footer) || footer.index_offset != index_offset) {
      return fail(offset, "expected a footer, found other bytes");
    }
    if (window.size() > sizeof(Footer)) {
      return fail(offset + sizeof(Footer), "expected the end of the file, found more bytes");
    }
    input_.consume(sizeof footer);
    bytes_read_ = input_.offset();
    totals_ = index->totals;
    done_ = true;
    return false;
  }

  // Always false, as fail() is.
  bool end_early(const char* missing) {
    done_ = true;
    if (input_.error()) {
      error_ = input_.error();
    } else {
      const std::uint64_t end = input_.offset() + input_.window().size();
      partial_ = fmt::format("{}: offset {}: partial trace: expected {}, found the end of the file",
                             input_.name(), end, missing);
    }
    return false;
  }

  bool fail(std::uint64_t offset, const std::string& complaint) {
    done_ = true;
    error_ = Error{fmt::format("{}: offset {}: {}", input_.name(), offset, complaint)};
    return false;
  }

  Input input_;
  BlockUnpacker unpacker_;
  EventDecoder decoder_;
  std::vector<Event> events_;
  std::uint64_t block_offset_ = 0;
  std::uint64_t events_read_ = 0;
  bool header_read_ = false;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Reader> make_binary_reader(Input input) {
  return std::make_unique<BinaryReader>(std::move(input));
}

}  // namespace steward::trace
