#include "runtime/shadow/layout.h"

#include <algorithm>
#include <sys/auxv.h>

#include "runtime/platform/linux/restart.h"

namespace steward::rt {

Layout layout;
extern "C" __attribute__((visibility("default"))) uptr __steward_flip;
uptr __steward_flip = 0;

namespace {

struct Window {
  uptr begin;
  uptr end;
};
constexpr uptr kTera = uptr{1} << 40;
constexpr unsigned kWindows = 4;
Window windows[kWindows];
std::uint64_t* heap_notes[kWindows];

constexpr uptr up(uptr a, uptr to) {
  return (a + to - 1) & ~(to - 1);
}
constexpr uptr down(uptr a, uptr to) {
  return a & ~(to - 1);
}

// The mappings of this process as the kernel lists them: f(begin, end).
template <class F>
void for_each_mapping(F f) {
  const int fd = sys::open_read("/proc/self/maps");
  if (sys::failed(fd)) sys::die("cannot read /proc/self/maps");
  char buffer[4096];
  uptr value = 0, begin = 0;
  enum { Begin, End, Rest } state = Begin;
  for (long n; (n = sys::read(fd, buffer, sizeof buffer)) > 0;) {
    for (long i = 0; i < n; ++i) {
      const char c = buffer[i];
      if (c == '\n') {
        state = Begin;
        value = 0;
      } else if (state == Rest) {
        continue;
      } else if (c == '-') {
        begin = value;
        value = 0;
        state = End;
      } else if (c == ' ') {
        f(begin, value);
        state = Rest;
      } else {
        value = value * 16 + static_cast<uptr>(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  }
  sys::close(fd);
}

bool in_window(uptr a) {
  for (const Window& w : windows) {
    if (a >= w.begin && a < w.end) return true;
  }
  return false;
}

// f(shadow of a terabyte of the program) for each one in a window, while f says true.
template <class F>
bool for_each_tera(uptr flip, F f) {
  for (const Window& w : windows) {
    for (uptr a = w.begin; a < w.end; a += kTera) {
      if (!f((a * 2 & (kAddressSpace - 1)) ^ flip)) return false;
    }
  }
  return true;
}

bool used[128];  // terabytes that hold shadow

bool reserve(uptr flip) {
  for (bool& u : used) u = false;
  const bool free = for_each_tera(flip, [&](uptr s) {
    for (const uptr part : {s, s + kTera}) {
      bool& u = used[part / kTera];
      if (u || in_window(part)) return false;
      u = true;
    }
    return true;
  });
  if (!free) return false;
  uptr made[128];
  unsigned count = 0;
  const bool mapped = for_each_tera(flip, [&](uptr s) {
    if (!sys::map_at(s, 2 * kTera)) return false;
    made[count++] = s;
    return true;
  });
  if (!mapped) {
    while (count > 0) sys::unmap(reinterpret_cast<void*>(made[--count]), 2 * kTera);
  }
  return mapped;
}

// Room for a table outside all windows, where no mapping of the program is expected: whole
// terabytes.
void* map_table(uptr bytes = kTera) {
  const uptr need = up(bytes, kTera) / kTera;
  for (uptr k = 1, free = 0; k < 127; ++k) {
    free = used[k] || in_window(k * kTera) ? 0 : free + 1;
    if (free < need) continue;
    const uptr begin = (k + 1 - need) * kTera;
    if (!sys::map_at(begin, need * kTera)) continue;
    for (uptr i = begin / kTera; i <= k; ++i) used[i] = true;
    return reinterpret_cast<void*>(begin);
  }
  sys::die("no room for the detector's tables in this process's address space");
}

}  // namespace

void map_shadow(const void* library) {
  const uptr here = reinterpret_cast<uptr>(library);
  const auto exe = static_cast<uptr>(getauxval(AT_PHDR));
  const auto stack = reinterpret_cast<uptr>(__builtin_frame_address(0));
  uptr lowest = here;
  for_each_mapping([&](uptr begin, uptr) {
    if (begin <= here && begin + 4 * kTera > here) lowest = std::min(lowest, begin);
  });
  windows[0] = {0, kTera};
  // The heap follows the executable; a terabyte is more than brk gets.
  windows[1] = exe >= kTera ? Window{down(exe, kTera), up(exe, kTera) + kTera} : Window{};
  const uptr floor = down(lowest, kTera);
  // Mappings grow down from the libraries, which are below the stack, or far below if it may grow
  // without limit.
  const bool far = stack - here >= 8 * kTera;
  windows[2] = {floor - 2 * kTera, far ? up(here, kTera) : kAddressSpace};
  if (!far) windows[2].begin = std::max(windows[2].begin, windows[1].end);
  windows[3] = far ? Window{down(stack, kTera), kAddressSpace} : Window{};
  for (uptr k = 0; k < 128; k += 2) {
    if (reserve(k * kTera)) {
      layout.flip = __steward_flip = k * kTera;
      layout.regions = static_cast<unsigned char*>(map_table());
      layout.heap = static_cast<unsigned char*>(map_table());
      layout.owners = static_cast<std::uint32_t*>(map_table());
      for (unsigned i = 0; i < kWindows; ++i) {
        const uptr bytes = windows[i].end - windows[i].begin;
        if (bytes != 0) heap_notes[i] = static_cast<std::uint64_t*>(map_table(bytes / 2));
      }
      return;
    }
  }
  restart_with_limited_stack();
  sys::die("no room for shadow memory in this process's address space (is `ulimit -v` set?)");
}

std::uint64_t* heap_note_of(uptr a) {
  for (unsigned i = 0; i < kWindows; ++i) {
    if (a >= windows[i].begin && a < windows[i].end) {
      return &heap_notes[i][(a - windows[i].begin) / 16];
    }
  }
  return nullptr;
}

void cover(uptr begin, std::size_t bytes) {
  const uptr end = begin + bytes;
  for (const Window& w : windows) {
    if (begin >= w.begin && end <= w.end) return;
  }
  // Outside all windows: a fixed or hinted mapping. Its shadow is made page by page where absent.
  constexpr uptr kStep = uptr{1} << 30;
  for (uptr a = down(begin, kStep / 2); a < end; a += kStep / 2) {
    const uptr s = shadow_of(a);
    if (sys::map_at(s, kStep)) continue;
    // Taken: by our own earlier call for a neighbour, or by something else.
    bool ours = false;
    for_each_mapping([&](uptr b, uptr e) { ours = ours || (b <= s && s + kStep <= e); });
    if (!ours) sys::die("the program mapped memory where its shadow cannot be");
  }
}

}  // namespace steward::rt
