#include "runtime/record/record_file.h"

#include <link.h>

#include "runtime/options.h"
#include "runtime/tool.h"

extern "C" const char* __tsan_default_suppressions();  // abi/interface.cpp, or the program

namespace steward::rt {
namespace {

SpinLock lock;
int file = -1;
bool ours = false;
bool failed = false;
char path[4200];
alignas(Line) unsigned char line_storage[sizeof(Line)];

struct Known {
  uptr load;
  uptr begin;
};
constexpr unsigned kMaxModules = 4096;
Known known[kMaxModules];
unsigned known_count = 0;
unsigned long long adds_seen = 0;

void append(char*& at, const char* s) {
  while (*s != '\0') *at++ = *s++;
}
void append(char*& at, unsigned long n) {
  char digits[24];
  int i = 0;
  do digits[i++] = static_cast<char>('0' + n % 10);
  while ((n /= 10) != 0);
  while (i > 0) *at++ = digits[--i];
}

void name_file() {
  char* at = path;
  ours = options().record[0] == '\0';
  append(at, ours ? "/tmp/steward-records" : options().record);
  *at++ = '.';
  append(at, static_cast<unsigned long>(sys::pid()));
  if (ours) {  // in a folder that everybody writes to
    *at++ = '.';
    append(at, static_cast<unsigned long>(sys::random()));
  }
  *at = '\0';
}

// Read at the start: once the main thread has ended by pthread_exit, nobody can.
char exe[4096];

// Millionths are as exact as anybody asks for.
void put_rate(Line& l, double rate) {
  const auto millionths = static_cast<std::uint64_t>(rate * 1e6 + 0.5);
  if (millionths == 0) return;
  l.text(R"(,"sampling_rate":)").number(millionths / 1'000'000).text(".");
  for (std::uint64_t unit = 100'000; unit > 0; unit /= 10) l.number(millionths / unit % 10);
}

// /proc/self/cmdline as the elements of a JSON array, and the path of the executable.
void write_start() {
  Line& l = Line::begin();
  l.text(R"({"type":"start","version":1,"pid":)").number(static_cast<std::uint64_t>(sys::pid()));
  l.text(R"(,"tool":)").quoted(STEWARD_TOOL);
  if constexpr (kSamples) put_rate(l, options().sample);
  l.text(R"(,"exe":)").quoted(exe).text(R"(,"args":[)");
  const int fd = sys::open_read("/proc/self/cmdline");
  static char args[8192];
  const long got = sys::failed(fd) ? 0 : sys::read(fd, args, sizeof args - 1);
  if (!sys::failed(fd)) sys::close(fd);
  bool first = true;
  for (long i = 0; i < got;) {
    if (!first) l.text(",");
    first = false;
    l.quoted(args + i);
    while (i < got && args[i] != '\0') ++i;
    ++i;
  }
  l.text("]}").write();
  const char* rules = __tsan_default_suppressions();
  if (rules == nullptr || *rules == '\0') return;
  Line::begin().text(R"({"type":"suppressions","text":)").quoted(rules).text("}").write();
}

// Once, and nothing more is written: what comes after half a line could not be read.
void give_up() {
  if (failed) return;
  failed = true;
  const auto tell = [](const char* s) {
    std::size_t n = 0;
    while (s[n] != '\0') ++n;
    sys::write_all(2, s, n);
  };
  tell("steward: cannot write race records to ");
  tell(path);
  tell(" (disk full or no access?); races from here on are lost\n");
}

bool ready() {
  if (failed) return false;
  if (file >= 0) return true;
  if (path[0] == '\0') name_file();
  file = ours ? sys::open_new(path) : sys::open_append(path);
  if (file < 0) {
    give_up();
    return false;
  }
  write_start();
  return !failed;
}

int write_module(dl_phdr_info* info, std::size_t, void*) {
  uptr begin = ~uptr{0}, end = 0;
  const unsigned char* id = nullptr;
  unsigned id_size = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type == PT_LOAD) {
      const uptr b = info->dlpi_addr + p.p_vaddr;
      if (b < begin) begin = b;
      if (b + p.p_memsz > end) end = b + p.p_memsz;
    } else if (p.p_type == PT_NOTE) {
      const char* at = reinterpret_cast<const char*>(info->dlpi_addr + p.p_vaddr);
      const char* notes_end = at + p.p_memsz;
      while (at + sizeof(ElfW(Nhdr)) <= notes_end) {
        const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* name = at + sizeof *note;
        const char* desc = name + ((note->n_namesz + 3) & ~3u);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && name[0] == 'G') {
          id = reinterpret_cast<const unsigned char*>(desc);
          id_size = note->n_descsz;
        }
        at = desc + ((note->n_descsz + 3) & ~3u);
      }
    }
  }
  for (unsigned i = 0; i < known_count; ++i) {
    if (known[i].load == info->dlpi_addr && known[i].begin == begin) return 0;
  }
  if (known_count < kMaxModules) known[known_count++] = {info->dlpi_addr, begin};
  const char* name = info->dlpi_name;
  if (name == nullptr || *name == '\0') {
    if (known_count > 1) return 0;  // the vdso
    name = exe;
  }
  Line& l = Line::begin();
  l.text(R"({"type":"module","path":)").quoted(name).text(R"(,"begin":)").hex(begin);
  l.text(R"(,"end":)").hex(end).text(R"(,"load":)").hex(info->dlpi_addr).text(R"(,"build_id":")");
  for (unsigned i = 0; i < id_size; ++i) {
    constexpr char kHex[] = "0123456789abcdef";
    const char two[3] = {kHex[id[i] >> 4], kHex[id[i] & 15], '\0'};
    l.text(two);
  }
  l.text("\"}").write();
  return 0;
}

int count_adds(dl_phdr_info* info, std::size_t, void* adds) {
  *static_cast<unsigned long long*>(adds) = info->dlpi_adds;
  return 1;
}

}  // namespace

SpinLock& records_lock() {
  return lock;
}

Line& Line::begin() {
  ready();  // a file begins with a line of its own, which is made in the same place
  auto& l = *reinterpret_cast<Line*>(line_storage);
  l.size_ = 0;
  l.overflow_ = false;
  return l;
}
void Line::put(char c) {
  if (size_ + 1 < kSize) {
    data_[size_++] = c;
  } else {
    overflow_ = true;
  }
}
Line& Line::text(const char* s) {
  while (*s != '\0') put(*s++);
  return *this;
}
Line& Line::quoted(const char* s) {
  put('"');
  for (; *s != '\0'; ++s) {
    const auto c = static_cast<unsigned char>(*s);
    if (c == '"' || c == '\\') {
      put('\\');
      put(*s);
    } else if (c < 0x20 || c >= 0x7f) {  // bytes as they are would not always be UTF-8
      constexpr char kHex[] = "0123456789abcdef";
      text("\\u00");
      put(kHex[c >> 4]);
      put(kHex[c & 15]);
    } else {
      put(*s);
    }
  }
  put('"');
  return *this;
}
Line& Line::number(std::uint64_t n) {
  char digits[24];
  char* at = digits;
  append(at, static_cast<unsigned long>(n));
  *at = '\0';
  return text(digits);
}
Line& Line::hex(uptr n) {
  text("\"0x");
  bool any = false;
  for (int shift = 60; shift >= 0; shift -= 4) {
    const unsigned d = n >> shift & 15;
    any = any || d != 0 || shift == 0;
    if (any) put("0123456789abcdef"[d]);
  }
  return text("\"");
}
Line& Line::stack(const Stack& s) {
  put('[');
  for (unsigned i = 0; i < s.size; ++i) {
    if (i != 0) put(',');
    hex(s.pcs[i]);
  }
  put(']');
  return *this;
}
bool Line::write() {
  if (overflow_ || !ready()) return false;
  data_[size_++] = '\n';
  if (sys::write_all(file, data_, size_)) return true;
  give_up();
  return false;
}

void open_records() {
  const long n = sys::call(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                           reinterpret_cast<long>(exe), sizeof exe - 1);
  exe[n > 0 ? n : 0] = '\0';
  name_file();
  const Locked guard(lock);
  if (!ours) ready();  // the reporter wants to know that we started, races or not
}

void write_modules() {
  if (!ready()) return;
  unsigned long long adds = 0;
  dl_iterate_phdr(count_adds, &adds);
  if (adds == adds_seen) return;
  adds_seen = adds;
  dl_iterate_phdr(write_module, nullptr);
}

void reopen_after_fork() {
  if (file >= 0) sys::close(file);
  file = -1;
  known_count = 0;
  adds_seen = 0;
  name_file();
}

const char* records_path() {
  return file >= 0 ? path : "";
}
bool records_are_ours() {
  return ours;
}

}  // namespace steward::rt
