// Raw records: one JSON object a line, each line one write(2), so that a process that dies leaves
// whole lines. Symbolising, merging and printing happen elsewhere, outside this process.
#pragma once

#include "runtime/history/history.h"
#include "runtime/mem/lock.h"

namespace steward::rt {

// Builds one line. Not reentrant: made under the records' lock.
class Line {
 public:
  Line& text(const char* s);    // as it is
  Line& quoted(const char* s);  // a JSON string
  Line& number(std::uint64_t n);
  Line& hex(uptr n);            // "0x..."
  Line& stack(const Stack& s);  // ["0x...", ...]
  bool write();                 // false: the line was lost

  static Line& begin();  // the one buffer

 private:
  void put(char c);
  static constexpr std::size_t kSize = 64 * 1024;
  std::size_t size_ = 0;
  bool overflow_ = false;
  char data_[kSize];
};

// Guards Line::begin() and everything written.
SpinLock& records_lock();

void open_records();   // reads where to; the file is made at the first record
void write_modules();  // those not yet written; before a record with code addresses
void reopen_after_fork();
const char* records_path();  // empty: nothing was written
bool records_are_ours();     // no reporter waits: this process has to start one at its end

}  // namespace steward::rt
