// The operations of a text trace: each spelling with the event it stands for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "event/event.h"

namespace steward::trace {

// What stands between the parentheses.
enum class Operands : std::uint8_t {
  None,
  Access,     // variable [, size]
  Sync,       // sync object
  Thread,     // thread
  Range,      // variable, size
  Move,       // variable, variable, size
  Reference,  // variable, object
  Function,   // function
  Count,      // number
};

struct TextOp {
  std::string_view word;
  EventKind kind{};
  Operands operands{};
  SyncMode mode = SyncMode::Exclusive;
  bool atomic = false;
};

inline constexpr std::array kTextOps = {
    TextOp{"r", EventKind::Read, Operands::Access},
    TextOp{"w", EventKind::Write, Operands::Access},
    TextOp{"ar", EventKind::Read, Operands::Access, SyncMode::Exclusive, true},
    TextOp{"aw", EventKind::Write, Operands::Access, SyncMode::Exclusive, true},
    TextOp{"acq", EventKind::Acquire, Operands::Sync},
    TextOp{"rel", EventKind::Release, Operands::Sync},
    TextOp{"relm", EventKind::ReleaseMerge, Operands::Sync},
    TextOp{"racq", EventKind::Acquire, Operands::Sync, SyncMode::Shared},
    TextOp{"rrels", EventKind::Release, Operands::Sync, SyncMode::Shared},
    TextOp{"rrel", EventKind::ReleaseMerge, Operands::Sync, SyncMode::Shared},
    TextOp{"vr", EventKind::Acquire, Operands::Sync, SyncMode::Volatile},
    TextOp{"vs", EventKind::Release, Operands::Sync, SyncMode::Volatile},
    TextOp{"vw", EventKind::ReleaseMerge, Operands::Sync, SyncMode::Volatile},
    TextOp{"fork", EventKind::Fork, Operands::Thread},
    TextOp{"join", EventKind::Join, Operands::Thread},
    TextOp{"end", EventKind::ThreadEnd, Operands::None},
    TextOp{"alloc", EventKind::Alloc, Operands::Range},
    TextOp{"free", EventKind::Free, Operands::Range},
    TextOp{"move", EventKind::Move, Operands::Move},
    TextOp{"switch", EventKind::Switch, Operands::Thread},
    TextOp{"ldref", EventKind::LoadRef, Operands::Reference},
    TextOp{"stref", EventKind::StoreRef, Operands::Reference},
    TextOp{"enter", EventKind::Enter, Operands::Function},
    TextOp{"exit", EventKind::Exit, Operands::Function},
    TextOp{"sbegin", EventKind::SampleBegin, Operands::None},
    TextOp{"send", EventKind::SampleEnd, Operands::None},
    TextOp{"instr", EventKind::Instructions, Operands::Count},
    TextOp{"stack", EventKind::Stack, Operands::Range},
    TextOp{"syscall", EventKind::SystemCall, Operands::None},
    // RAPID's atomic blocks. Behind enter, so that it is not what a writer finds.
    TextOp{"begin", EventKind::Enter, Operands::Function},
};
// end(B) is told from a bare end by its operand.
inline constexpr TextOp kBlockEnd{"end", EventKind::Exit, Operands::Function};

// Up to eight letters as a number, so that finding an operation compares no strings.
constexpr std::uint64_t packed(std::string_view word) {
  std::uint64_t v = 0;
  for (const char c : word) v = v << 8 | static_cast<unsigned char>(c);
  return v;
}

class TextOpFinder {
 public:
  constexpr TextOpFinder() {
    for (std::size_t op = 0; op < kTextOps.size(); ++op) {
      std::size_t i = home(packed(kTextOps[op].word));
      while (slots_[i].op != 0) i = (i + 1) % kSlots;
      slots_[i] = {packed(kTextOps[op].word), op + 1};
    }
  }

  // Null when there is no such operation; a bare end when the word is end.
  constexpr const TextOp* find(std::uint64_t word) const {
    for (std::size_t i = home(word); slots_[i].op != 0; i = (i + 1) % kSlots) {
      if (slots_[i].word == word) return &kTextOps[slots_[i].op - 1];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 128;
  struct Slot {
    std::uint64_t word = 0;
    std::size_t op = 0;  // index + 1; 0: free
  };

  static constexpr std::size_t home(std::uint64_t word) {
    return static_cast<std::size_t>((word * 0x9e37'79b9'7f4a'7c15u) >> 57);
  }

  std::array<Slot, kSlots> slots_{};
};
inline constexpr TextOpFinder kTextOpFinder;

// The operation that spells `e`; null when no kind of event is like it.
constexpr const TextOp* text_op(const Event& e) {
  const bool sync = e.kind >= EventKind::Acquire && e.kind <= EventKind::ReleaseMerge;
  for (const TextOp& op : kTextOps) {
    if (op.kind != e.kind) continue;
    if (e.is_access() && op.atomic != e.atomic) continue;
    if (sync && op.mode != e.mode) continue;
    return &op;
  }
  return nullptr;
}

}  // namespace steward::trace
