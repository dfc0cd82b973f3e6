#include "trace/tables.h"

#include <fmt/format.h>

#include "trace/varint.h"

namespace steward::trace {

namespace {

// A names block ends soon after this, well below kMaxRaw.
constexpr std::size_t kFullNames = std::size_t{1} << 20;

void append_varint(std::string& out, std::uint64_t v) {
  char bytes[16];
  out.append(bytes, static_cast<std::size_t>(put_varint(bytes, v) - bytes));
}

}  // namespace

std::string_view NamesEncoder::next(std::uint32_t& count) {
  raw_.clear();
  count = 0;
  for (unsigned k = 0; k < kNameKinds; ++k) {
    const NameTable& table = names_->table(static_cast<NameKind>(k));
    for (std::size_t& i = done_[k]; i < table.size() && raw_.size() < kFullNames; ++i, ++count) {
      raw_ += static_cast<char>(k);
      append_varint(raw_, table[i].id);
      append_varint(raw_, table[i].name.size());
      raw_ += table[i].name;
    }
  }
  return raw_;
}

std::string decode_names(std::string_view raw, std::uint32_t count, Names& names) {
  const char* at = raw.data();
  const char* const end = at + raw.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (at >= end) return fmt::format("expected {} names, found {}", count, i);
    const auto k = static_cast<unsigned char>(*at++);
    if (k >= kNameKinds) return fmt::format("expected a kind of name from 0 to 4, found {}", k);
    const auto kind = static_cast<NameKind>(k);
    const std::uint64_t id = get_varint(at);
    const std::uint64_t length = get_varint(at);
    if (at > end || length > static_cast<std::uint64_t>(end - at)) {
      return "expected a name, found the end of the block";
    }
    if (length == 0 || length > kMaxNameLength) {
      return fmt::format("expected a name of 1 to {} bytes, found {}", kMaxNameLength, length);
    }
    if (!valid_id(kind, id)) return fmt::format("expected an id to be named, found {}", id);
    if (!names.table(kind).define(id, {at, static_cast<std::size_t>(length)})) {
      return fmt::format("expected a new id to be named, found {} again", id);
    }
    at += length;
  }
  if (at != end) return "expected the end of the block after its last name, found more bytes";
  return {};
}

std::string encode_index(const Index& index) {
  std::string out;
  append_varint(out, index.totals.events);
  append_varint(out, index.totals.threads);
  append_varint(out, index.totals.sites);
  std::uint64_t last = 0;
  for (const IndexedBlock& b : index.blocks) {
    out += static_cast<char>(b.type);
    append_varint(out, b.offset - last);
    append_varint(out, b.count);
    last = b.offset;
  }
  return out;
}

std::optional<Index> decode_index(std::string_view raw, std::uint32_t count) {
  // A listed block takes three bytes or more: a wrong count costs no memory.
  if (count > raw.size() / 3) return std::nullopt;
  const char* at = raw.data();
  const char* const end = at + raw.size();
  Index index;
  for (std::uint64_t* total : {&index.totals.events, &index.totals.threads, &index.totals.sites}) {
    if (at >= end) return std::nullopt;
    *total = get_varint(at);
  }
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (at >= end) return std::nullopt;
    IndexedBlock b;
    b.type = static_cast<std::uint8_t>(*at++);
    b.offset = last + get_varint(at);
    const std::uint64_t events = get_varint(at);
    if (events > 0xffff'ffff || b.offset < last) return std::nullopt;
    b.count = static_cast<std::uint32_t>(events);
    last = b.offset;
    index.blocks.push_back(b);
  }
  if (at != end) return std::nullopt;
  return index;
}

}  // namespace steward::trace
