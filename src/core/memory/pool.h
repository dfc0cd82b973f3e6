// Memory for detector state. Nothing here calls malloc: a detector may live inside the program it
// watches. Blocks are carved from chunks by size class and go back to their class's free list.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace steward {

// Where chunks come from: mmap in a target process, operator new in the analyser.
class PageSource {
 public:
  virtual void* map(std::size_t bytes) = 0;  // zeroed or not; never null (throws or aborts)
  virtual void unmap(void* p, std::size_t bytes) = 0;

 protected:
  ~PageSource() = default;
};

class Pool {
 public:
  // A large pool takes chunks that fill a huge page of the machine.
  static constexpr std::size_t kSmallChunk = 256 * 1024;
  static constexpr std::size_t kLargeChunk = 2 * 1024 * 1024;

  // Chunks have the usual sizes, or grow to them from `first_chunk`: for one of many pools that may
  // stay small.
  explicit Pool(PageSource& source, std::size_t first_chunk = kSmallChunk)
      : source_(&source), next_chunk_(first_chunk) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    while (chunks_ != nullptr) {
      Chunk* next = chunks_->next;
      source_->unmap(chunks_, chunks_->bytes);
      chunks_ = next;
    }
  }

  void* allocate(std::size_t bytes) {
    in_use_ += bytes;
    if (in_use_ > peak_) peak_ = in_use_;
    if (bytes > kLargestBlock) return source_->map(bytes);
    const unsigned c = size_class(bytes);
    if (Free* f = free_[c]) {
      free_[c] = f->next;
      return f;
    }
    return carve(class_size(c));
  }

  void deallocate(void* p, std::size_t bytes) {
    in_use_ -= bytes;
    if (bytes > kLargestBlock) {
      source_->unmap(p, bytes);
      return;
    }
    const unsigned c = size_class(bytes);
    free_[c] = new (p) Free{free_[c]};
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    return new (allocate(sizeof(T))) T{std::forward<Args>(args)...};
  }
  template <class T>
  void destroy(T* p) {
    p->~T();
    deallocate(p, sizeof(T));
  }

  // Bytes handed out and not yet given back, now and at most.
  std::size_t in_use() const { return in_use_; }
  std::size_t peak() const { return peak_; }

 private:
  struct Free {
    Free* next;
  };
  struct Chunk {
    Chunk* next;
    std::size_t bytes;
  };
  static constexpr std::size_t kLargestBlock = 16 * 1024;
  // 16, 32, ... 128, then four classes a doubling.
  static constexpr unsigned kClasses = 8 + 4 * 7;

  static unsigned size_class(std::size_t bytes) {
    if (bytes <= 128) return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / 16);
    const unsigned log = 63 - std::countl_zero(bytes - 1);  // 2^log < bytes <= 2^(log+1)
    const unsigned step = static_cast<unsigned>((bytes - 1) >> (log - 2)) & 3;
    return 8 + (log - 7) * 4 + step;
  }
  static std::size_t class_size(unsigned c) {
    if (c < 8) return (c + 1) * std::size_t{16};
    const unsigned log = 7 + (c - 8) / 4;
    return (std::size_t{4} + (c - 8) % 4 + 1) << (log - 2);
  }

  void* carve(std::size_t bytes) {
    if (left_ < bytes) {
      std::size_t size = in_use_ < 2 * kLargeChunk ? kSmallChunk : kLargeChunk;
      if (next_chunk_ < kSmallChunk) {
        size = std::bit_ceil(std::max(next_chunk_, bytes + sizeof(Chunk)));
        next_chunk_ = size * 2;
      }
      chunks_ = new (source_->map(size)) Chunk{chunks_, size};
      next_ = reinterpret_cast<std::byte*>(chunks_) + sizeof(Chunk);
      left_ = size - sizeof(Chunk);
    }
    void* p = next_;
    next_ += bytes;
    left_ -= bytes;
    return p;
  }

  PageSource* source_;
  std::size_t next_chunk_;  // while chunks grow
  std::array<Free*, kClasses> free_{};
  Chunk* chunks_ = nullptr;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t in_use_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace steward
