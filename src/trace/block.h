// One block of a binary trace as bytes: header, checksums, compression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/binary_format.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace steward::trace {

std::uint64_t hash_bytes(const void* bytes, std::size_t size);

class BlockPacker {
 public:
  // Level 0 stores blocks as they are.
  explicit BlockPacker(int zstd_level);
  ~BlockPacker();
  BlockPacker(const BlockPacker&) = delete;
  BlockPacker& operator=(const BlockPacker&) = delete;

  // The header and payload of a block; the view lasts until the next call.
  std::string_view pack(BlockType type, std::uint32_t count, std::string_view raw);

 private:
  int level_;
  ZSTD_CCtx_s* context_ = nullptr;
  std::vector<char> buffer_;
};

// Why a header cannot be that of a block, or empty.
std::string broken_header(const BlockHeader& header);

class BlockUnpacker {
 public:
  BlockUnpacker() = default;
  ~BlockUnpacker();
  BlockUnpacker(const BlockUnpacker&) = delete;
  BlockUnpacker& operator=(const BlockUnpacker&) = delete;

  // Checks and decompresses the payload of a block whose header is sound. Empty, or what is wrong.
  std::string unpack(const BlockHeader& header, std::string_view stored);
  // The raw bytes; kDecoderSlack bytes of zeros follow them. They last until the next unpack.
  std::string_view raw() const { return {buffer_.data(), size_}; }

 private:
  ZSTD_DCtx_s* context_ = nullptr;
  std::vector<char> buffer_;
  std::size_t size_ = 0;
};

}  // namespace steward::trace
