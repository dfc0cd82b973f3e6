// The names and index blocks of a binary trace.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/binary_format.h"
#include "trace/names.h"
#include "trace/reader.h"

namespace steward::trace {

// Names -> names blocks, each name once.
class NamesEncoder {
 public:
  explicit NamesEncoder(const Names& names) : names_(&names) {}

  // The raw bytes of the next block of names not yet encoded; empty when there are none left.
  std::string_view next(std::uint32_t& count);

 private:
  const Names* names_;
  std::array<std::size_t, kNameKinds> done_{};
  std::string raw_;
};

// Adds the names of a block, which kDecoderSlack readable bytes follow. Empty, or what is wrong.
std::string decode_names(std::string_view raw, std::uint32_t count, Names& names);

struct IndexedBlock {
  std::uint8_t type = 0;
  std::uint64_t offset = 0;
  std::uint32_t count = 0;

  bool operator==(const IndexedBlock&) const = default;
};

struct Index {
  Totals totals;
  std::vector<IndexedBlock> blocks;
};
// An index stays below the limit of a block. Blocks past this many (some 60 billion events) are not
// listed.
inline constexpr std::size_t kMaxIndexed = std::size_t{1} << 20;

std::string encode_index(const Index& index);
// Nothing when the bytes, which kDecoderSlack readable ones follow, are no index.
std::optional<Index> decode_index(std::string_view raw, std::uint32_t count);

}  // namespace steward::trace
