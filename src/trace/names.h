// What the ids of a trace are called. Events carry numbers only; these tables say what a report or
// a text trace prints for them.
//
// Ids are not dense: text may say T4000000000, a binary trace may hold any number. A consumer maps
// them; it never sizes an array by one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/ids.h"

namespace steward::trace {

// Variables and sync objects known only by name live here, far from any address of a process.
inline constexpr std::uint64_t kNamedBase = std::uint64_t{1} << 62;
// A named variable owns this many bytes, so that V1+4 is a part of V1 and never of V2.
inline constexpr std::uint64_t kNamedStride = 16;
inline constexpr std::uint64_t kDefaultAccessSize = 8;
// T0, T1... are the numbers they show; a thread with another name starts here, out of their way.
inline constexpr std::uint64_t kNamedThreadBase = std::uint64_t{1} << 20;
// Addresses, sync objects and the ends of ranges stay below this.
inline constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 63;

inline constexpr std::size_t kMaxNameLength = 65535;

// One-to-one between ids and names. Append only: a name, once given, stays.
class NameTable {
 public:
  struct Entry {
    std::uint64_t id;
    std::string_view name;  // lives as long as the table
  };

  // Names without an id of their own get first, first + stride, ...
  NameTable(std::uint64_t first, std::uint64_t stride) : next_(first), stride_(stride) {}

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }  // in order of definition

  // Empty: the id has no name.
  std::string_view name_of(std::uint64_t id) const {
    const Entry* e = by_id(id);
    return e ? e->name : std::string_view{};
  }
  std::optional<std::uint64_t> id_of(std::string_view name) const;

  // The id of `name`; a new name gets the next free id.
  std::uint64_t intern(std::string_view name);
  // Calls `id` by `name`. False, and nothing changes, when it already has a name or `name` is
  // empty. A name that another id bears gets "#id" appended; one that is too long is cut.
  bool define(std::uint64_t id, std::string_view name);
  // The id that intern() would give a new name.
  std::uint64_t next_id();
  std::uint64_t stride() const { return stride_; }

  // Where id's entry is, or size() when it has none.
  std::size_t index_of(std::uint64_t id) const {
    const Entry* e = by_id(id);
    return e ? static_cast<std::size_t>(e - entries_.data()) : size();
  }

 private:
  const Entry* by_id(std::uint64_t id) const {
    if (entries_.empty()) return nullptr;
    for (std::size_t i = id_home(id);; i = (i + 1) & mask_) {
      const std::uint32_t slot = id_slots_[i];
      if (slot == 0) return nullptr;
      if (entries_[slot - 1].id == id) return &entries_[slot - 1];
    }
  }
  std::size_t id_home(std::uint64_t id) const {
    return static_cast<std::size_t>((id * 0x9e37'79b9'7f4a'7c15u) >> 32) & mask_;
  }
  const Entry* by_name(std::string_view name, std::uint64_t hash) const;
  void insert(std::uint64_t id, std::string_view name, std::uint64_t hash);
  void grow();
  std::string_view keep(std::string_view name);

  struct NameSlot {
    std::uint32_t entry = 0;  // index + 1; 0: free
    std::uint32_t hash = 0;   // its high half: spares most comparisons of names
  };

  std::uint64_t next_;
  std::uint64_t stride_;
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::vector<std::uint32_t> id_slots_;  // index + 1; 0: free
  std::vector<NameSlot> name_slots_;
  std::vector<std::unique_ptr<char[]>> chunks_;  // the names' bytes
  std::size_t chunk_left_ = 0;
  char* chunk_at_ = nullptr;
};

enum class NameKind : std::uint8_t { Thread, Variable, Sync, Site, Function };
inline constexpr unsigned kNameKinds = 5;

// Whether a table of this kind may hold `id`.
constexpr bool valid_id(NameKind kind, std::uint64_t id) {
  switch (kind) {
    case NameKind::Thread:
      return id < raw(kAllThreads);
    case NameKind::Variable:
    case NameKind::Sync:
      return id < kAddressEnd;
    case NameKind::Site:
      return id != raw(kNoSite) && id <= 0xffff'ffff;
    case NameKind::Function:
      return id <= 0xffff'ffff;
  }
  return false;
}

class Names {
 public:
  Names();
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;

  NameTable& table(NameKind k) { return tables_[static_cast<std::size_t>(k)]; }
  const NameTable& table(NameKind k) const { return tables_[static_cast<std::size_t>(k)]; }

  NameTable& threads() { return table(NameKind::Thread); }
  NameTable& variables() { return table(NameKind::Variable); }
  NameTable& syncs() { return table(NameKind::Sync); }
  NameTable& sites() { return table(NameKind::Site); }
  NameTable& functions() { return table(NameKind::Function); }

  // What to print for an id: its name, or a form of its number (T7, 0x1000, #12).
  std::string thread(ThreadId) const;   // "*" for kAllThreads
  std::string variable(Address) const;  // V1, V1+4, 0x1000
  std::string sync(SyncId) const;       // L1, 0x1000
  std::string site(SiteId) const;       // foo.c:12, #12; empty for kNoSite
  std::string function(FunctionId) const;

 private:
  std::vector<NameTable> tables_;
};

// The named variable that `address` is a byte of, and where in it.
struct VariablePart {
  std::string_view name;
  std::uint64_t offset = 0;
};
std::optional<VariablePart> find_variable(const Names& names, Address address);

}  // namespace steward::trace
