#!/usr/bin/env bash
# Code of every kind that the pass may meet, compiled by one clang, at several levels: it must build,
# compute what it should with checks and without, and its race must be found, and only then.
#   pass_builds.sh STEWARD CLANG
set -euo pipefail

steward=$(realpath "$1")
clang=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/pass_builds" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export STEWARD_CC=$clang STEWARD_CXX=${clang/clang/clang++}
failed=0 checked=0

header() { sed -n -E "s|^// $1: (.*)\$|\1|p" "$2"; }
fail() {
  echo "FAIL $1" >&2
  failed=1
}

# expect NAME WANTED-CODE WANTED-OUTPUT COMMAND...: an output that ends in * goes on as it likes
expect() {
  local name=$1 code=$2 output=$3 got=0
  shift 3
  timeout 60 "$@" >"$out/stdout" 2>"$out/stderr" || got=$?
  # shellcheck disable=SC2053
  if [ "$got" != "$code" ] || [[ $(<"$out/stdout") != $output ]]; then
    fail "$name: $*: exit code $got (wanted $code), '$(<"$out/stdout")' (wanted '$output')"
    head -n 5 "$out/stderr" >&2
  fi
  checked=$((checked + 1))
}

# build_and_run NAME SOURCE FLAGS...
build_and_run() {
  local name=$1 source=$2 program=$out/program driver=cc extra=() library sources result
  shift 2
  [[ $source == *.cpp ]] && driver=c++
  read -r -a extra <<<"$(header FLAGS "$source")"
  sources=("$source")
  [ -z "$(header WITH "$source")" ] || sources+=("$here/$(header WITH "$source")")
  library=$(header LIBRARY "$source")
  rm -f "$program" "$out/"*.o
  if [ -n "$library" ]; then
    if ! "$steward" cc "$@" -fPIC -shared "$here/$library" -o "$out/libwork.so" 2>"$out/stderr"; then
      fail "$name: the library does not build: $(head -n 3 "$out/stderr")"
      return
    fi
    extra+=("-L$out" -lwork "-Wl,-rpath,$out")
  fi
  # Objects first, so that link-time optimisation has a link of its own.
  local objects=() one
  for one in "${sources[@]}"; do
    objects+=("$out/$(basename "$one").o")
    if ! "$steward" "$driver" "$@" "${extra[@]}" -Wno-unused-command-line-argument -pthread -c "$one" \
      -o "${objects[-1]}" 2>"$out/stderr"; then
      fail "$name: does not compile: $(head -n 3 "$out/stderr")"
      return
    fi
  done
  if ! "$steward" "$driver" "$@" -pthread "${objects[@]}" "${extra[@]}" -o "$program" 2>"$out/stderr"; then
    fail "$name: does not link: $(head -n 3 "$out/stderr")"
    return
  fi
  if ! nm "$program" ${library:+"$out/libwork.so"} | grep __steward_word >/dev/null; then
    fail "$name: was not built with the pass"
  fi
  result=$(header OUTPUT "$source")
  expect "$name" 0 "$result" "$steward" run "$program"
  expect "$name" 0 "$result" "$steward" run --sample 100% "$program"
  expect "$name" 0 "$result" "$steward" run --sample 0% "$program"
  expect "$name, racy" 66 "${result% *}*" "$steward" run "$program" racy
  expect "$name, racy" 66 "${result% *}*" "$steward" run --sample 100% "$program" racy
}

# One function of some ten thousand accesses, in branches.
huge() {
  echo "// OUTPUT: 600000 600000 200"
  echo '#include "kind.h"'
  echo 'static long data[3000];'
  echo 'long work(volatile long* shared, long rounds) {'
  echo '  long sum = 0;'
  echo '  for (long r = 0; r < rounds; ++r) {'
  for ((i = 0; i < 3000; ++i)); do
    echo "    if (data[$i] > r) data[$i] = data[$(((i * 7) % 3000))]; else data[$i] = r;"
  done
  echo '    for (int i = 0; i < 3000; ++i) sum += 2, data[i] = 0;'
  echo '    *shared += 1;'
  echo '  }'
  echo '  return sum;'
  echo '}'
}

plain=${clang/clang/clang++}
for source in "$here"/{loops,computed_goto,inline_asm,jumps,prefetch}.c "$here"/exceptions.cpp; do
  name=$(basename "$source")
  for level in -O0 -O2; do build_and_run "$name $level" "$source" $level; done
done
# Where the program asks for data, two lines of shadow are asked for.
"$steward" cc -O2 -S -emit-llvm "$here/prefetch.c" -o "$out/prefetch.ll"
asked=$(grep -c 'call void @llvm.prefetch.*!steward.shadow' "$out/prefetch.ll" || true)
[ "$asked" = 4 ] || fail "prefetch.c: its shadow is asked for $asked times (wanted 4)"
build_and_run "loops.c -O3" "$here/loops.c" -O3 -march=x86-64-v3
build_and_run "exceptions.cpp -O3" "$here/exceptions.cpp" -O3
if printf '#include <coroutine>\nstd::suspend_always s;\n' |
  "$plain" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null; then
  for level in -O0 -O2; do
    build_and_run "coroutines.cpp $level" "$here/coroutines.cpp" $level
  done
else
  echo "$plain has no C++20 coroutines"
fi
for lto in full thin; do
  echo 'int main(void) { return 0; }' >"$out/lto.c"
  if "$clang" -flto=$lto "$out/lto.c" -o "$out/lto" 2>/dev/null; then
    build_and_run "two_files.c -flto=$lto" "$here/two_files.c" -O2 -flto=$lto
    build_and_run "exceptions.cpp -flto=$lto" "$here/exceptions.cpp" -O2 -flto=$lto
  else
    echo "$clang has no linker for -flto=$lto"
  fi
done
build_and_run "library.c" "$here/library.c" -O2
huge >"$out/huge.c"
build_and_run "a huge function" "$out/huge.c" -O2 "-I$here"
echo "$checked runs"
exit $failed
