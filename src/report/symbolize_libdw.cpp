// libdw in this process: for machines without llvm-symbolizer, and where starting one takes too
// long. Finds separate debug files by
// build-id and .gnu_debuglink, and falls back on the symbol table.
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <map>

#include "report/symbolize.h"

namespace steward::report {

namespace {

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string out = status == 0 && plain != nullptr ? plain : name;
  std::free(plain);
  return out;
}

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

// One file. `bias` is what libdw adds to its addresses.
class Image {
 public:
  explicit Image(const std::string& path) : dwfl_(dwfl_begin(&kCallbacks)) {
    if (dwfl_ == nullptr) return;
    module_ = dwfl_report_offline(dwfl_, path.c_str(), path.c_str(), -1);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    GElf_Addr bias = 0;
    if (module_ != nullptr && dwfl_module_getelf(module_, &bias) != nullptr) bias_ = bias;
  }
  ~Image() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  std::vector<SourceFrame> code(Address address) {
    std::vector<SourceFrame> frames;
    if (module_ == nullptr) return frames;
    const Dwarf_Addr at = address + bias_;
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* unit = unit_of(at, &bias)) add_scopes(unit, at, bias, frames);
    if (frames.empty()) frames.emplace_back();
    SourceFrame& outermost = frames.back();
    if (outermost.function.empty()) {
      outermost.function = demangled(dwfl_module_addrname(module_, at));
    }
    if (frames.size() == 1 && outermost.function.empty() && outermost.file.empty()) frames.clear();
    return frames;
  }

  std::optional<DataSymbol> data(Address address) {
    if (module_ == nullptr) return std::nullopt;
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* name =
        dwfl_module_addrinfo(module_, address + bias_, &offset, &symbol, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || (type != STT_OBJECT && type != STT_COMMON)) return std::nullopt;
    return DataSymbol{demangled(name), address - offset, symbol.st_size, {}, 0};
  }

 private:
  // clang leaves out the table of ranges that libdw looks a unit up by.
  Dwarf_Die* unit_of(Dwarf_Addr at, Dwarf_Addr* bias) {
    if (Dwarf_Die* unit = dwfl_module_addrdie(module_, at, bias)) return unit;
    for (Dwarf_Die* unit = dwfl_module_nextcu(module_, nullptr, bias); unit != nullptr;
         unit = dwfl_module_nextcu(module_, unit, bias)) {
      if (dwarf_haspc(unit, at - *bias) > 0) return unit;
    }
    return nullptr;
  }

  static std::string function_name(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    Dwarf_Attribute* linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute);
    if (linkage != nullptr) return demangled(dwarf_formstring(linkage));
    const char* name = dwarf_diename(die);
    return name != nullptr ? name : "";
  }

  // A name may be told from where the compiler ran.
  static std::string whole(Dwarf_Die* unit, const char* file) {
    Dwarf_Attribute attribute;
    const char* from = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (*file == '/' || from == nullptr) return file;
    return (std::filesystem::path(from) / file).lexically_normal().string();
  }

  static unsigned number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
    return static_cast<unsigned>(value);
  }

  static std::string file_name(Dwarf_Die* unit, unsigned index) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0) return {};
    const char* name = dwarf_filesrc(files, index, nullptr, nullptr);
    return name != nullptr ? whole(unit, name) : "";
  }

  static unsigned declared_at(Dwarf_Die* die) {
    int line = 0;
    return dwarf_decl_line(die, &line) == 0 && line > 0 ? static_cast<unsigned>(line) : 0;
  }

  // The function at the address and those inlined there. dwarf_getscopes does not find functions
  // that clang puts into a namespace.
  static bool find_scopes(Dwarf_Die* parent, Dwarf_Addr pc, std::vector<Dwarf_Die>& scopes) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return false;
    do {
      const int tag = dwarf_tag(&child);
      const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
      const bool is_space = tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                            tag == DW_TAG_structure_type || tag == DW_TAG_module;
      const bool has_pc = dwarf_haspc(&child, pc) > 0;
      if (is_function && has_pc) {
        scopes.push_back(child);
        find_scopes(&child, pc, scopes);
        return true;
      }
      if ((is_space || (tag == DW_TAG_lexical_block && has_pc)) &&
          find_scopes(&child, pc, scopes)) {
        return true;
      }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
  }

  void add_scopes(Dwarf_Die* unit, Dwarf_Addr at, Dwarf_Addr bias,
                  std::vector<SourceFrame>& frames) {
    // Where the current frame stands: first what the line table says, then where the inlined
    // function was called.
    SourceFrame place;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, at - bias)) {
      int n = 0;
      if (dwarf_lineno(line, &n) == 0) place.line = static_cast<unsigned>(n);
      if (dwarf_linecol(line, &n) == 0) place.column = static_cast<unsigned>(n);
      if (const char* file = dwarf_linesrc(line, nullptr, nullptr)) {
        place.file = whole(unit, file);
      }
    }
    std::vector<Dwarf_Die> scopes;  // outermost first
    find_scopes(unit, at - bias, scopes);
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      place.function = function_name(&*scope);
      place.start_line = declared_at(&*scope);
      frames.push_back(place);
      place = {};
      place.file = file_name(unit, number(&*scope, DW_AT_call_file));
      place.line = number(&*scope, DW_AT_call_line);
      place.column = number(&*scope, DW_AT_call_column);
    }
    if (frames.empty() && place.line != 0) frames.push_back(place);
  }

  Dwfl* dwfl_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;
};

class LibdwSymbolizer final : public Symbolizer {
 public:
  std::vector<SourceFrame> code(const std::string& path, Address address) override {
    return image(path).code(address);
  }
  std::optional<DataSymbol> data(const std::string& path, Address address) override {
    return image(path).data(address);
  }

 private:
  Image& image(const std::string& path) { return images_.try_emplace(path, path).first->second; }

  std::map<std::string, Image> images_;
};

}  // namespace

std::unique_ptr<Symbolizer> open_libdw_symbolizer() {
  return std::make_unique<LibdwSymbolizer>();
}

}  // namespace steward::report
