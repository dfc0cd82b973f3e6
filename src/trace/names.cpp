#include "trace/names.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <xxhash.h>

namespace steward::trace {

namespace {

constexpr std::size_t kChunk = 64 * 1024;
// Leaves room for "#id" after a name that is both too long and taken.
constexpr std::size_t kCutLength = kMaxNameLength - 64;

std::uint64_t hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

// Messages are one line, whatever a name holds.
std::string printable(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return out;
}

std::uint32_t high(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::optional<std::uint64_t> NameTable::id_of(std::string_view name) const {
  const Entry* e = by_name(name, hash_of(name));
  if (!e) return std::nullopt;
  return e->id;
}

std::uint64_t NameTable::intern(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  if (const Entry* e = by_name(name, hash)) return e->id;
  const std::uint64_t id = next_id();
  insert(id, name, hash);
  return id;
}

bool NameTable::define(std::uint64_t id, std::string_view name) {
  if (name.empty() || by_id(id)) return false;
  std::string unique;
  if (name.size() > kMaxNameLength) name = name.substr(0, kCutLength);
  for (std::uint64_t hash = hash_of(name);; hash = hash_of(name)) {
    if (!by_name(name, hash)) {
      insert(id, name, hash);
      return true;
    }
    unique = fmt::format("{}#{}", name.substr(0, kCutLength), id);
    name = unique;
  }
}

std::uint64_t NameTable::next_id() {
  while (by_id(next_)) next_ += stride_;
  return next_;
}

const NameTable::Entry* NameTable::by_name(std::string_view name, std::uint64_t hash) const {
  if (entries_.empty()) return nullptr;
  for (std::size_t i = static_cast<std::size_t>(hash) & mask_;; i = (i + 1) & mask_) {
    const NameSlot slot = name_slots_[i];
    if (slot.entry == 0) return nullptr;
    if (slot.hash == high(hash) && entries_[slot.entry - 1].name == name) {
      return &entries_[slot.entry - 1];
    }
  }
}

void NameTable::insert(std::uint64_t id, std::string_view name, std::uint64_t hash) {
  if ((entries_.size() + 1) * 2 > name_slots_.size()) grow();
  entries_.push_back({id, keep(name)});
  const auto number = static_cast<std::uint32_t>(entries_.size());
  std::size_t i = id_home(id);
  while (id_slots_[i] != 0) i = (i + 1) & mask_;
  id_slots_[i] = number;
  i = static_cast<std::size_t>(hash) & mask_;
  while (name_slots_[i].entry != 0) i = (i + 1) & mask_;
  name_slots_[i] = {number, high(hash)};
}

void NameTable::grow() {
  const std::size_t capacity = name_slots_.empty() ? 16 : name_slots_.size() * 2;
  mask_ = capacity - 1;
  id_slots_.assign(capacity, 0);
  name_slots_.assign(capacity, {});
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::size_t i = id_home(entries_[e].id);
    while (id_slots_[i] != 0) i = (i + 1) & mask_;
    id_slots_[i] = static_cast<std::uint32_t>(e + 1);
    const std::uint64_t hash = hash_of(entries_[e].name);
    i = static_cast<std::size_t>(hash) & mask_;
    while (name_slots_[i].entry != 0) i = (i + 1) & mask_;
    name_slots_[i] = {static_cast<std::uint32_t>(e + 1), high(hash)};
  }
}

std::string_view NameTable::keep(std::string_view name) {
  if (name.size() > chunk_left_) {
    // The first chunk of a table is small: most tables of most traces hold a few names.
    const std::size_t size = std::max(chunks_.empty() ? std::size_t{256} : kChunk, name.size());
    chunks_.push_back(std::make_unique<char[]>(size));
    chunk_at_ = chunks_.back().get();
    chunk_left_ = size;
  }
  char* const at = chunk_at_;
  std::memcpy(at, name.data(), name.size());
  chunk_at_ += name.size();
  chunk_left_ -= name.size();
  return {at, name.size()};
}

Names::Names() {
  tables_.emplace_back(kNamedThreadBase, 1);                 // Thread
  tables_.emplace_back(kNamedBase, kNamedStride);            // Variable
  tables_.emplace_back(kNamedBase, kNamedStride);            // Sync
  tables_.emplace_back(std::uint64_t{raw(kNoSite)} + 1, 1);  // Site
  tables_.emplace_back(0, 1);                                // Function
}

std::string Names::thread(ThreadId t) const {
  if (t == kAllThreads) return "*";
  const std::string_view name = table(NameKind::Thread).name_of(raw(t));
  return name.empty() ? fmt::format("T{}", raw(t)) : printable(name);
}

std::string Names::variable(Address a) const {
  const auto part = find_variable(*this, a);
  if (!part) return fmt::format("{:#x}", a);
  const std::string name = printable(part->name);
  return part->offset ? fmt::format("{}+{}", name, part->offset) : name;
}

std::string Names::sync(SyncId s) const {
  const std::string_view name = table(NameKind::Sync).name_of(raw(s));
  return name.empty() ? fmt::format("{:#x}", raw(s)) : printable(name);
}

std::string Names::site(SiteId s) const {
  if (s == kNoSite) return {};
  const std::string_view name = table(NameKind::Site).name_of(raw(s));
  return name.empty() ? fmt::format("#{}", raw(s)) : printable(name);
}

std::string Names::function(FunctionId f) const {
  const std::string_view name = table(NameKind::Function).name_of(raw(f));
  return name.empty() ? fmt::format("#{}", raw(f)) : printable(name);
}

std::optional<VariablePart> find_variable(const Names& names, Address address) {
  const NameTable& variables = names.table(NameKind::Variable);
  if (variables.size() == 0) return std::nullopt;
  if (const std::string_view name = variables.name_of(address); !name.empty()) {
    return VariablePart{name, 0};
  }
  if (address < kNamedBase) return std::nullopt;
  const std::uint64_t offset = (address - kNamedBase) % kNamedStride;
  const std::string_view name = variables.name_of(address - offset);
  if (name.empty()) return std::nullopt;
  return VariablePart{name, offset};
}

}  // namespace steward::trace
