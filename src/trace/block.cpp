#include "trace/block.h"

#include <cstring>
#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include "trace/event_decoder.h"

namespace steward::trace {

std::uint64_t hash_bytes(const void* bytes, std::size_t size) {
  return XXH3_64bits(bytes, size);
}

BlockPacker::BlockPacker(int zstd_level) : level_(zstd_level) {
  if (level_ != 0) context_ = ZSTD_createCCtx();
}

BlockPacker::~BlockPacker() {
  ZSTD_freeCCtx(context_);
}

std::string_view BlockPacker::pack(BlockType type, std::uint32_t count, std::string_view raw) {
  const std::size_t bound = ZSTD_compressBound(raw.size());
  if (buffer_.size() < sizeof(BlockHeader) + bound) buffer_.resize(sizeof(BlockHeader) + bound);
  char* const payload = buffer_.data() + sizeof(BlockHeader);
  std::size_t stored = raw.size();
  Codec codec = Codec::Stored;
  if (context_) {
    const std::size_t packed =
        ZSTD_compressCCtx(context_, payload, bound, raw.data(), raw.size(), level_);
    // It fails only for want of memory; the block is then merely larger.
    if (!ZSTD_isError(packed) && packed < raw.size()) {
      stored = packed;
      codec = Codec::Zstd;
    }
  }
  if (codec == Codec::Stored && !raw.empty()) std::memcpy(payload, raw.data(), raw.size());
  BlockHeader header{};
  header.type = static_cast<std::uint8_t>(type);
  header.codec = static_cast<std::uint8_t>(codec);
  header.count = count;
  header.raw_size = static_cast<std::uint32_t>(raw.size());
  header.stored_size = static_cast<std::uint32_t>(stored);
  header.payload_hash = hash_bytes(payload, stored);
  header.header_hash = hash_bytes(&header, kHashedHeader);
  std::memcpy(buffer_.data(), &header, sizeof header);
  return {buffer_.data(), sizeof header + stored};
}

std::string broken_header(const BlockHeader& h) {
  if (h.header_hash != hash_bytes(&h, kHashedHeader)) {
    return "expected a block header, found one that fails its checksum";
  }
  const bool known = h.type >= 1 && h.type <= static_cast<std::uint8_t>(BlockType::Index);
  if (!known && h.type < kFirstOptionalType) {
    return fmt::format("expected a block of type 1 to 3 or from 128 on, found type {}", h.type);
  }
  if (h.codec > static_cast<std::uint8_t>(Codec::Zstd)) {
    return fmt::format("expected codec 0 or 1, found {}", h.codec);
  }
  if (h.reserved != 0) return fmt::format("expected a reserved 0, found {}", h.reserved);
  if (h.raw_size > kMaxRaw) {
    return fmt::format("expected a block of at most {} bytes, found {}", kMaxRaw, h.raw_size);
  }
  if (h.stored_size > kMaxStored) {
    return fmt::format("expected at most {} stored bytes, found {}", kMaxStored, h.stored_size);
  }
  if (h.codec == static_cast<std::uint8_t>(Codec::Stored) && h.stored_size != h.raw_size) {
    return fmt::format("expected {} stored bytes, found {}", h.raw_size, h.stored_size);
  }
  return {};
}

BlockUnpacker::~BlockUnpacker() {
  ZSTD_freeDCtx(context_);
}

std::string BlockUnpacker::unpack(const BlockHeader& header, std::string_view stored) {
  size_ = 0;
  if (hash_bytes(stored.data(), stored.size()) != header.payload_hash) {
    return "expected the contents of a block, found some that fail their checksum";
  }
  if (buffer_.size() < header.raw_size + kDecoderSlack) {
    buffer_.resize(header.raw_size + kDecoderSlack);
  }
  if (header.codec == static_cast<std::uint8_t>(Codec::Stored)) {
    if (!stored.empty()) std::memcpy(buffer_.data(), stored.data(), stored.size());
  } else {
    if (!context_) context_ = ZSTD_createDCtx();
    const std::size_t n = ZSTD_decompressDCtx(context_, buffer_.data(), header.raw_size,
                                              stored.data(), stored.size());
    if (ZSTD_isError(n)) return fmt::format("expected zstd data, found {}", ZSTD_getErrorName(n));
    if (n != header.raw_size) {
      return fmt::format("expected {} bytes in a block, found {}", header.raw_size, n);
    }
  }
  size_ = header.raw_size;
  std::memset(buffer_.data() + size_, 0, kDecoderSlack);
  return {};
}

}  // namespace steward::trace
