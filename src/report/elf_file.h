// What an ELF file says about itself before anything of it runs.
#pragma once

#include <string>
#include <vector>

namespace steward::report {

enum class FileKind : unsigned char { Missing, Unreadable, Script, Elf, Other };

struct ElfFacts {
  FileKind kind = FileKind::Missing;
  int error = 0;  // errno: why it is Missing or Unreadable
  bool is_64bit = false;
  bool is_x86_64 = false;
  bool is_dynamic = false;      // a dynamic linker will load it, and what is preloaded
  bool imports_tsan = false;    // calls __tsan_ functions that another file supplies
  bool defines_tsan = false;    // holds a runtime library itself
  std::string build_id;         // in hexadecimal
  std::string compiler;         // what .comment says of it
  bool has_debug_info = false;  // or names a file that has it
  std::vector<std::string> needed;
};

ElfFacts read_elf(const std::string& path);

// What it supplies to other files (`defined`), or has others supply, by name.
std::vector<std::string> dynamic_symbols(const std::string& path, bool defined);

// The bytes of a section; empty: there is none.
std::string read_section(const std::string& path, const std::string& name);

}  // namespace steward::report
