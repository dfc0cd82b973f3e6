#include "report/modules.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/elf_file.h"
#include "report/frames.h"
#include "report/utf8.h"

namespace steward::report {

void Modules::add(const ModuleRecord& module) {
  modules_.push_back(module);
}

const ModuleRecord* Modules::find(Address address) const {
  // The newest first: a library may have been loaded where another was unloaded.
  const auto it = std::find_if(modules_.rbegin(), modules_.rend(), [&](const ModuleRecord& m) {
    return m.begin <= address && address < m.end;
  });
  return it == modules_.rend() ? nullptr : &*it;
}

bool Namer::usable(const ModuleRecord& module) {
  if (module.path.empty() || module.path[0] == '[') return false;  // [vdso]
  const auto [it, fresh] = usable_.try_emplace(module.path + '\n' + module.build_id, true);
  if (fresh && !module.build_id.empty()) {
    const ElfFacts facts = read_elf(module.path);
    if (facts.kind == FileKind::Elf && !facts.build_id.empty() &&
        facts.build_id != module.build_id) {
      it->second = false;
      complaints_.push_back(fmt::format(
          "{} is not the file that ran (its build-id has changed): its frames have no names",
          printable(module.path)));
    }
  }
  return it->second;
}

Stack Namer::stack(const Modules& modules, const RawStack& raw) {
  Stack out;
  // Who called main, or a thread's function, is in no report. To name it would take libc's debug
  // information, which is large and slow to read.
  std::size_t wanted = raw.size();
  for (; wanted > 1; --wanted) {
    const ModuleRecord* module = modules.find(raw[wanted - 1] - 1);
    if (module == nullptr || !starts_threads(module->path)) break;
  }
  bool is_main = false;
  for (std::size_t at = 0; at < wanted && !is_main; ++at) {
    const Address pc = raw[at];
    // A return address may be the first of the next line or even function: the call is before it.
    const Address call = pc == 0 ? 0 : pc - 1;
    Frame plain;
    plain.pc = pc;
    const ModuleRecord* module = modules.find(call);
    if (module == nullptr) {
      out.push_back(std::move(plain));
      continue;
    }
    plain.module = module->path;
    plain.offset = pc - module->load;
    const std::vector<SourceFrame> named = usable(*module)
                                               ? symbolizer_.code(module->path, call - module->load)
                                               : std::vector<SourceFrame>();
    for (std::size_t i = 0; i < named.size(); ++i) {
      Frame frame = plain;
      frame.function = named[i].function;
      frame.file = named[i].file;
      frame.line = named[i].line;
      frame.column = named[i].column;
      frame.start_line = named[i].start_line;
      frame.inlined = i + 1 < named.size();
      is_main = is_main || frame.function == "main";
      out.push_back(std::move(frame));
    }
    if (named.empty()) out.push_back(std::move(plain));
  }
  return out;
}

void Namer::global(const Modules& modules, Address address, Memory& memory) {
  const ModuleRecord* module = modules.find(address);
  if (module == nullptr) return;
  memory.module = module->path;
  if (!usable(*module)) return;
  const auto symbol = symbolizer_.data(module->path, address - module->load);
  if (!symbol) return;
  memory.symbol = symbol->name;
  memory.begin = symbol->start + module->load;
  memory.size = symbol->size;
  memory.offset = symbol->start;
  memory.file = symbol->file;
  memory.line = symbol->line;
}

}  // namespace steward::report
