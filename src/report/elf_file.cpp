#include "report/elf_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace steward::report {

namespace {

class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (elf_ != nullptr) elf_end(elf_);
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int fd() const { return fd_; }

  Elf* elf() {
    elf_version(EV_CURRENT);
    if (elf_ == nullptr) elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
    return elf_;
  }

 private:
  int fd_;
  Elf* elf_ = nullptr;
};

// Each of a table of symbols: f(name, defined here).
template <class F>
void for_each_symbol(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, F f) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const std::size_t count = data->d_size / header.sh_entsize;
  for (std::size_t i = 1; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name != nullptr) f(std::string_view(name), symbol.st_shndx != SHN_UNDEF);
  }
}

// One table of symbols: .dynsym, or in a static file .symtab.
void scan_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFacts& facts) {
  for_each_symbol(elf, section, header, [&](std::string_view name, bool defined) {
    if (!name.starts_with("__tsan_")) return;
    if (!defined) {
      facts.imports_tsan = true;
    } else if (name == "__tsan_init") {
      facts.defines_tsan = true;
    }
  });
}

void scan_needed(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFacts& facts) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const std::size_t count = data->d_size / header.sh_entsize;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) return;
    if (entry.d_tag != DT_NEEDED) continue;
    if (const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val)) {
      facts.needed.emplace_back(name);
    }
  }
}

// The compilers that had a part in it, each a string. The C library's own come first.
void scan_comment(Elf_Scn* section, ElfFacts& facts) {
  const Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return;
  std::string_view rest(static_cast<const char*>(data->d_buf), data->d_size);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('\0'));
    if (one.find("clang") != std::string_view::npos || facts.compiler.empty()) {
      facts.compiler = one;
    }
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
}

void scan_sections(Elf* elf, ElfFacts& facts) {
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) {
      scan_symbols(elf, section, header, facts);
    }
    if (header.sh_type == SHT_DYNAMIC) scan_needed(elf, section, header, facts);
    const char* text = elf_strptr(elf, names, header.sh_name);
    const std::string_view name = text != nullptr ? text : "";
    if (name == ".comment") scan_comment(section, facts);
    if (name == ".debug_info" || name == ".gnu_debuglink") facts.has_debug_info = true;
  }
}

void scan_segments(Elf* elf, ElfFacts& facts) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) return;
    if (header.p_type == PT_INTERP) facts.is_dynamic = true;
  }
}

void read_build_id(Elf* elf, ElfFacts& facts) {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  for (ssize_t i = 0; i < size; ++i) {
    facts.build_id += fmt::format("{:02x}", static_cast<const unsigned char*>(bytes)[i]);
  }
}

FileKind kind_of(int fd) {
  char start[4] = {};
  const ssize_t n = ::pread(fd, start, sizeof start, 0);
  if (n >= 2 && start[0] == '#' && start[1] == '!') return FileKind::Script;
  if (n == 4 && std::memcmp(start, ELFMAG, SELFMAG) == 0) return FileKind::Elf;
  return FileKind::Other;
}

}  // namespace

ElfFacts read_elf(const std::string& path) {
  ElfFacts facts;
  File file(path);
  struct stat st {};
  if (file.fd() < 0) {
    facts.error = errno;
    const bool missing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
    facts.kind = missing ? FileKind::Missing : FileKind::Unreadable;
    return facts;
  }
  if (::fstat(file.fd(), &st) == 0 && S_ISDIR(st.st_mode)) {
    facts.kind = FileKind::Unreadable;
    facts.error = EISDIR;
    return facts;
  }
  facts.kind = kind_of(file.fd());
  if (facts.kind != FileKind::Elf) return facts;
  Elf* elf = file.elf();
  GElf_Ehdr header;
  if (elf == nullptr || gelf_getehdr(elf, &header) == nullptr) {
    facts.kind = FileKind::Other;
    return facts;
  }
  facts.is_64bit = gelf_getclass(elf) == ELFCLASS64;
  facts.is_x86_64 = header.e_machine == EM_X86_64;
  scan_segments(elf, facts);
  scan_sections(elf, facts);
  read_build_id(elf, facts);
  return facts;
}

std::vector<std::string> dynamic_symbols(const std::string& path, bool wanted) {
  std::vector<std::string> names;
  File file(path);
  if (file.fd() < 0 || kind_of(file.fd()) != FileKind::Elf || file.elf() == nullptr) return names;
  Elf* elf = file.elf();
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    for_each_symbol(elf, section, header, [&](std::string_view name, bool defined) {
      if (defined == wanted) names.emplace_back(name);
    });
  }
  return names;
}

std::string read_section(const std::string& path, const std::string& name) {
  File file(path);
  if (file.fd() < 0 || kind_of(file.fd()) != FileKind::Elf || file.elf() == nullptr) return {};
  Elf* elf = file.elf();
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  std::string bytes;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* its = elf_strptr(elf, names, header.sh_name);
    if (its == nullptr || name != its) continue;
    for (Elf_Data* d = elf_rawdata(section, nullptr); d != nullptr;
         d = elf_rawdata(section, d)) {
      bytes.append(static_cast<const char*>(d->d_buf), d->d_size);
    }
  }
  return bytes;
}

}  // namespace steward::report
