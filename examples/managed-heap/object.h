// What an object of the managed heap looks like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace managed {

struct Type {
  static constexpr std::uint32_t kAll = 0xffff'ffff;

  const char* name;
  std::uint32_t references;  // the first so many slots hold references; kAll: all of them
};

struct Object {
  const Type* type;
  std::uint32_t id;  // its identity: never given twice, wherever the object is
  std::uint32_t slots;
  Object* link;        // where it has moved to, or the next free piece of memory
  std::uint64_t mark;  // of the last collection that found it alive

  static constexpr std::size_t bytes_for(std::uint32_t slots) {
    return sizeof(Object) + std::size_t{slots} * 8;
  }
  std::size_t bytes() const { return bytes_for(slots); }
  std::uint32_t references() const { return type->references < slots ? type->references : slots; }
  std::uint64_t* slot(std::uint32_t i) { return reinterpret_cast<std::uint64_t*>(this + 1) + i; }
  Object** reference(std::uint32_t i) { return reinterpret_cast<Object**>(slot(i)); }
};
static_assert(sizeof(Object) == 32);

}  // namespace managed
