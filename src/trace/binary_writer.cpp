#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <unordered_set>
#include <vector>

#include "trace/binary_format.h"
#include "trace/block.h"
#include "trace/event_encoder.h"
#include "trace/rules.h"
#include "trace/tables.h"
#include "trace/writer.h"

namespace steward::trace {

namespace {

// A block of unusually long events ends here instead of at its number of events.
constexpr std::size_t kFullRaw = kMaxRaw / 2;
static_assert(kFullRaw + kMaxEventBytes < kMaxRaw);

// Which threads a trace is about. Runs of one thread are common, so the last one is tried first.
class ThreadSet {
 public:
  void add(ThreadId t) {
    if (t == last_ || t == kAllThreads) return;
    last_ = t;
    seen_.insert(raw(t));
  }
  std::uint64_t size() const { return seen_.size(); }

 private:
  ThreadId last_ = kAllThreads;
  std::unordered_set<std::uint32_t> seen_;
};

class BinaryWriter final : public Writer {
 public:
  BinaryWriter(std::unique_ptr<Sink> sink, const Names& names, const BinaryOptions& options)
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

  void write(std::span<const Event> events) override {
    for (const Event& e : events) {
      if (!ok()) return;
      if (const char* rule = broken_rule(e)) {
        error_ = Error{fmt::format("event {}: expected {}", events_, rule)};
        return;
      }
      encoder_.add(e);
      threads_.add(e.thread);
      if (e.kind == EventKind::Fork || e.kind == EventKind::Join || e.kind == EventKind::Switch) {
        threads_.add(e.target_thread());
      }
      ++events_;
      if (encoder_.count() >= block_events_ || encoder_.bytes().size() >= kFullRaw) flush();
    }
  }

  // A block leaves in one write, after the names it uses: whatever reached the file can be read.
  void flush() override {
    std::uint32_t count = 0;
    for (std::string_view raw = new_names_.next(count); count > 0; raw = new_names_.next(count)) {
      put_block(BlockType::Names, count, raw);
    }
    if (encoder_.count() > 0) put_block(BlockType::Events, encoder_.count(), encoder_.bytes());
    encoder_.clear();
  }

  void cut(Cut why, std::uint64_t at) override {
    flush();
    std::string raw(1, static_cast<char>(why));
    raw.append(reinterpret_cast<const char*>(&at), sizeof at);
    put_block(BlockType::Cut, 1, raw);
  }

  void finish() override {
    flush();
    index_.totals = {events_, threads_.size(), names_->table(NameKind::Site).size()};
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

 private:
  void put_block(BlockType type, std::uint32_t count, std::string_view raw) {
    if (index_.blocks.size() < kMaxIndexed) {
      index_.blocks.push_back({static_cast<std::uint8_t>(type), sink_->bytes(), count});
    }
    sink_->write(packer_.pack(type, count, raw));
  }

  const Names* names_;
  NamesEncoder new_names_;
  EventEncoder encoder_;
  BlockPacker packer_;
  std::uint32_t block_events_;
  ThreadSet threads_;
  Index index_;
};

}  // namespace

std::unique_ptr<Writer> make_binary_writer(std::unique_ptr<Sink> sink, const Names& names,
                                           const BinaryOptions& options) {
  return std::make_unique<BinaryWriter>(std::move(sink), names, options);
}

std::unique_ptr<Writer> make_writer(Format format, std::unique_ptr<Sink> sink, const Names& names) {
  return format == Format::Text ? make_text_writer(std::move(sink), names)
                                : make_binary_writer(std::move(sink), names);
}

}  // namespace steward::trace
