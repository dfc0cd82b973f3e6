// Two threads touch each variable at the same moment, as nearly as two processors can: no race may
// be lost to a race in the detector. Every variable has an instruction of its own, so that each
// race is a report of its own; the script beside this counts them.
//
// Variables lie packed in one page, or each in a region of its own, which then changes hands at the
// very moment of the race.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <utility>

#define HIDDEN __attribute__((no_sanitize("thread"), noinline))

namespace {

constexpr int kEach = 48;  // variables a kind and a layout
constexpr int kKinds = 15;
constexpr int kRounds = 2 * kKinds * kEach;
constexpr int kReadAgain = 14, kSteps = 3;  // this kind is prepared in steps
constexpr std::size_t kRegion = 16 * 1024, kSpace = 256;

alignas(kRegion) unsigned char packed[kKinds * kEach * kSpace];
alignas(kRegion) unsigned char apart[kKinds * kEach][kRegion];

unsigned char elsewhere[kSpace];  // the first thread's
// Or gcc makes stores that it does not announce.
volatile std::size_t five = 5, sixteen = 16, all = kSpace;

int arrived[kRounds + kSteps][16];  // a cache line each

// Both threads leave at the same time.
HIDDEN void meet(int round) {
  int* at = arrived[round];
  int now;
  __asm__ volatile("lock; addl $1, %0" : "+m"(*at) : : "memory", "cc");
  for (long spins = 0;; ++spins) {
    __asm__ volatile("pause\n\tmovl %1, %0" : "=r"(now) : "m"(*at) : "memory");
    if (now == 2) return;
    if (spins % 1000 == 999) {  // one processor only: let the other come
      long result;
      __asm__ volatile("syscall" : "=a"(result) : "a"(24L) : "rcx", "r11", "memory");
    }
  }
}

template <class T>
void store(unsigned char* p) {
  *reinterpret_cast<volatile T*>(p) = 1;
}
template <class T>
void load(unsigned char* p) {
  (void)*reinterpret_cast<volatile T*>(p);
}

template <class T>
struct __attribute__((packed)) AtAnyByte {
  T value;
};

template <int Kind, int Round>
__attribute__((noinline)) void touch(unsigned char* p, bool first) {
  switch (Kind) {
    case 0:
      store<std::uint64_t>(p);
      break;
    case 1:
      first ? store<std::uint64_t>(p) : load<std::uint64_t>(p);
      break;
    case 2:
      first ? load<std::uint32_t>(p + 4) : store<std::uint32_t>(p + 4);
      break;
    case 3:
      store<std::uint8_t>(p + 3);
      break;
    case 4:
      first ? store<std::uint16_t>(p + 2) : store<std::uint64_t>(p);
      break;
    case 5:
      first ? static_cast<void>(std::memset(p, 1, sixteen)) : store<std::uint64_t>(p + 8);
      break;
    case 6:
      first ? static_cast<void>(std::memset(p, 1, all)) : store<std::uint64_t>(p + 128);
      break;
    case 7:
      first ? static_cast<void>(std::memset(p, 1, all)) : load<std::uint8_t>(p + 77);
      break;
    case 8:
      std::memset(p, 1, all);
      break;
    case 9:  // the first cell of a walk
      first ? static_cast<void>(std::memset(p, 1, all)) : load<std::uint64_t>(p);
      break;
    case 10:
      first ? static_cast<void>(std::memset(p, 1, all)) : store<std::uint8_t>(p + 5);
      break;
    case 11:
      first ? static_cast<void>(std::memcpy(elsewhere, p, all)) : store<std::uint64_t>(p);
      __asm__ volatile("" : : "r"(elsewhere) : "memory");  // or nobody needs the copy
      break;
    case 12:  // two cells
      first ? static_cast<void>(std::memset(p, 1, all))
            : static_cast<void>(reinterpret_cast<volatile AtAnyByte<std::uint32_t>*>(p + 5)->value =
                                    1);
      break;
    case 13:
      first ? static_cast<void>(std::memset(p, 1, all))
            : static_cast<void>(reinterpret_cast<volatile AtAnyByte<std::uint64_t>*>(p + 3)->value);
      break;
    case kReadAgain:
      first ? load<std::uint64_t>(p) : static_cast<void>(std::memset(p + 3, 1, five));
      break;
  }
  __asm__ volatile("" : : "i"(Round));  // or equal functions become one
}

unsigned char* variable(int round) {
  return round % 2 == 0 ? packed + round / 2 * kSpace : apart[round / 2];
}
template <class F>
void for_each_read_again(F f) {
  for (int i = 0; i < kRounds; ++i) {
    if (i / 2 % kKinds == kReadAgain) f(variable(i));
  }
}

// What main wrote, the first thread has read, and only it: the second has read it as well, but
// before. The second comes after both. Then the one reads again while the other writes some of the bytes,
// after which the cell says of the earlier read what it said before.
pthread_mutex_t of_second = PTHREAD_MUTEX_INITIALIZER, of_first = PTHREAD_MUTEX_INITIALIZER;
void pass(pthread_mutex_t& m) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}
void prepare(bool first) {
  if (!first) for_each_read_again(load<std::uint64_t>);
  meet(kRounds);
  first ? for_each_read_again(load<std::uint32_t>) : pass(of_second);
  meet(kRounds + 1);
  if (first) {
    pass(of_second);
    for_each_read_again(load<std::uint64_t>);
    pass(of_first);
  }
  meet(kRounds + 2);
  if (!first) pass(of_first);
}

template <int Round>
void run_round(bool first) {
  unsigned char* p = variable(Round);
  meet(Round);
  touch<Round / 2 % kKinds, Round>(p, first);
}

template <int... Rounds>
void run(bool first, std::integer_sequence<int, Rounds...>) {
  static constexpr void (*rounds[])(bool) = {run_round<Rounds>...};
  for (auto* round : rounds) round(first);
}

void* work(void* first) {
  prepare(first != nullptr);
  run(first != nullptr, std::make_integer_sequence<int, kRounds>());
  return nullptr;
}

}  // namespace

int main() {
  for_each_read_again(store<std::uint64_t>);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, work, i == 0 ? packed : nullptr);
  for (pthread_t t : threads) pthread_join(t, nullptr);
  std::printf("%d\n", kRounds);
}
