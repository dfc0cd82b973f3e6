// Addresses to names and lines, outside the process under test: nothing of this runs in it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/ids.h"

namespace steward::report {

struct SourceFrame {
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned start_line = 0;

  bool operator==(const SourceFrame&) const = default;
};

struct DataSymbol {
  std::string name;
  Address start = 0;  // in the file
  std::uint64_t size = 0;
  std::string file;  // of its declaration
  unsigned line = 0;
};

// `address` is the file's own: what its headers and symbols say, not where it was loaded.
class Symbolizer {
 public:
  virtual ~Symbolizer() = default;

  // The code at the address: inlined frames first, then the function they are in. Empty: not
  // known.
  virtual std::vector<SourceFrame> code(const std::string& path, Address address) = 0;
  virtual std::optional<DataSymbol> data(const std::string& path, Address address) = 0;
  // False: it is gone for good, and another must take over.
  virtual bool alive() const { return true; }
};

struct SymbolizeOptions {
  std::string program;            // llvm-symbolizer's path; empty: look for it
  bool external = true;           // false: do not start any
  std::string strip_path_prefix;  // cut off the front of file names
};

// Remembers every answer. Starts llvm-symbolizer at the first question; without one, or when it
// breaks down, libdw answers.
std::unique_ptr<Symbolizer> open_symbolizer(SymbolizeOptions options);

// Knows nothing: addresses stay what they are.
std::unique_ptr<Symbolizer> no_symbolizer();

// The parts.
std::unique_ptr<Symbolizer> open_llvm_symbolizer(const std::string& program);
std::unique_ptr<Symbolizer> open_libdw_symbolizer();
// Newest version on PATH; empty: none.
std::string find_llvm_symbolizer();

}  // namespace steward::report
