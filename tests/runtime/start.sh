#!/usr/bin/env bash
# The detector starts, and finds a race, however the program was linked and wherever the kernel puts
# it: position independent or not, with and without randomised addresses, with the old layout of
# mappings, taken over from gcc's own libtsan, and with little address space it says why it cannot.
#   start.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

racy=$source/tests/programs/mutex/two_mutexes_race.c

# found NAME COMMAND...: exit code 66 and one race
found() {
  local name=$1 code=0
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  if [ "$code" != 66 ] || ! grep -q '^SUMMARY: Steward: data race' "$work/err"; then
    echo "FAIL $name: exit code $code"
    sed 's/^/    /' "$work/err" | head -n 5
    failed=1
  fi
}

cc() { STEWARD_CC=$compiler "$steward" cc -g -O1 -pthread "$racy" "$@"; }
for compiler in gcc clang-19; do
  cc -o "$work/pie" -fPIE -pie
  cc -o "$work/fixed" -fno-pie -no-pie
  for program in pie fixed; do
    found "$compiler, $program" "$steward" run "$work/$program"
    found "$compiler, $program, by itself" "$work/$program"
    found "$compiler, $program, addresses not randomised" setarch -R "$work/$program"
    found "$compiler, $program, old layout of mappings" \
      bash -c 'ulimit -s unlimited && exec "$0"' "$work/$program"
    found "$compiler, $program, old layout, not randomised" \
      setarch -R bash -c 'ulimit -s unlimited && exec "$0"' "$work/$program"
    found "$compiler, $program, small stack" bash -c 'ulimit -s 256 && exec "$0"' "$work/$program"
    found "$compiler, $program, no environment" env -i "$work/$program"
  done
done
gcc -g -O1 -fsanitize=thread -pthread "$racy" -o "$work/gcc"  # linked with gcc's own
found "a gcc binary taken over" "$steward" run "$work/gcc"

# Where a terabyte of the program ends, its shadow goes on elsewhere: with the old layout everywhere.
# Not at random places: one in some hundred of them has the program where one of these has its shadow.
cat >"$work/far.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
  enum { kSize = 1 << 17 };
  unsigned long end = 0;
  for (unsigned long tera = 0x50; tera < 0x70; ++tera) {
    end = tera << 40;
    char* p = mmap((void*)(end - kSize / 2), kSize, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED) continue;
    for (int i = 0; i < 2; ++i) memset(p, i, kSize);
    munmap(p, kSize);
  }
  return puts("walked") < 0;
}
END
for compiler in gcc clang-19; do
  STEWARD_CC=$compiler "$steward" cc -g -O1 "$work/far.c" -o "$work/far"
  for limit in 8192 unlimited; do
    out=$(ulimit -s "$limit" && setarch -R "$work/far" 2>"$work/err") || out="exit code $?"
    [ "$out" = walked ] || { echo "FAIL $compiler, far terabytes, stack $limit: $out" && failed=1; }
  done
done

# A program may have taken functions of libm from gcc's library; others need not have libm.
cat >"$work/libm.c" <<'END'
#include <stdio.h>
#include <string.h>
void sincos(double, double*, double*);
float lgammaf_r(float, int*);
long double remquol(long double, long double, int*);
volatile double x = 0.5;
int main(int argc, char** argv) {
  double s = 0, c = 0;
  int sign = 0, quotient = 0;
  if (argc > 1) {
    sincos(x, &s, &c);
    lgammaf_r((float)x - 1, &sign);
    remquol(x * 10, 2, &quotient);
    printf("%.3f %.3f %d %d", s, c, sign, quotient);
  }
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    if (strstr(line, "/libm.so")) return puts(" with libm"), 0;
  }
  puts(" without");
}
END
gcc -g -fsanitize=thread -fno-builtin "$work/libm.c" -o "$work/libm"
says() {
  local expected=$1 said code=0
  shift
  said=$("$@" 2>&1) || code=$?
  if [ "$said" != "$expected" ] || [ "$code" != 0 ]; then
    echo "FAIL libm: exit code $code, $said"
    failed=1
  fi
}
says ' without' "$steward" run "$work/libm"
says '0.479 0.878 -1 2 with libm' "$steward" run "$work/libm" yes

# What cannot be checked says so.
code=0
bash -c 'ulimit -v 4000000 && exec "$0"' "$work/pie" >"$work/out" 2>"$work/err" || code=$?
if [ "$code" = 0 ] || ! grep -q 'steward: fatal: no room .*ulimit -v' "$work/err"; then
  echo "FAIL little address space: exit code $code"
  sed 's/^/    /' "$work/err" | head -n 5
  failed=1
fi
gcc -g -O1 -pthread -static "$racy" -o "$work/static"
code=0
"$steward" run "$work/static" >"$work/out" 2>"$work/err" || code=$?
if [ "$code" != 1 ] || ! grep -qi 'static' "$work/err"; then
  echo "FAIL a static program: exit code $code"
  sed 's/^/    /' "$work/err" | head -n 5
  failed=1
fi
# One that is run all the same is run once: to ask what it loads would be to run it.
cat >"$work/once.c" <<'END'
#include <stdio.h>
int main(int count, char** words) {
  char name[4096];
  snprintf(name, sizeof name, "%s.ran", words[count - 1]);
  FILE* f = fopen(name, "a");
  return f == NULL || fputs("once\n", f) < 0 || fclose(f) != 0;
}
END
gcc -static "$work/once.c" -o "$work/once"
"$steward" run --force "$work/once" >"$work/out" 2>&1
"$steward" record --force -o "$work/trace" "$work/once" >>"$work/out" 2>&1
if [ "$(grep -c once "$work/once.ran")" != 2 ]; then
  echo "FAIL a static program, run and recorded all the same: it ran $(grep -c once "$work/once.ran") times and not twice"
  failed=1
fi
exit $failed
