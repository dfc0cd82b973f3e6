#!/usr/bin/env bash
# `steward run --tool lockset`: a missing lock is found and told from a hand-over; what one thread alone
# uses since it was handed over is not reported; the barriers call escaped what the paper says.
#   lockset.sh STEWARD
set -uo pipefail

steward=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lockset
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
  echo "FAIL $1"
  head -n 30 err | sed 's/^/    /'
  failed=1
}

# line FILE WORD: where the comment WORD is
line() { echo "$1:$(grep -n "// $2\$" "$here/$1" | cut -d: -f1)"; }

# build NAME COMPILER [OPTION]
build() {
  local source driver=c++ std=-std=c++17
  source=$(ls "$here/$1".c*)
  if [ "${source##*.}" = c ]; then driver=cc std=-std=gnu11; fi
  local cxx=${2/clang/clang++}
  STEWARD_CC=$2 STEWARD_CXX=${cxx/gcc/g++} "$steward" $driver ${3:-} $std -O1 "$source" -o "$1" -pthread || fail "$1: does not build"
}
# check NAME CODE [OPTION...] -- TEXT...: exit code, and texts on standard error (or not, after !)
check() {
  local name=$1 want=$2 code=0 text options=()
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  "$steward" run --tool lockset --json out.json ${options[@]+"${options[@]}"} "./$name" \
    ${arguments[@]+"${arguments[@]}"} >out 2>err || code=$?
  [ "$code" = "$want" ] || fail "$name ${options[*]-}: exit code $code, not $want"
  for text in "$@"; do
    case $text in
      !*) grep -qF -e "${text#!}" err && fail "$name ${options[*]-}: said: ${text#!}" ;;
      *) grep -qF -e "$text" err || fail "$name ${options[*]-}: not said: $text" ;;
    esac
  done
}
# In JSON, without blanks.
json() { tr -d ' \n' <out.json | grep -qF -e "$1" || fail "not in the JSON: $1"; }
arguments=()

suite() { # suite COMPILER [OPTION]
  for name in account join handover readers atomics parts finalizer frames; do build "$name" "$@"; done

  # The locks of either, the set that became empty, the field.
  check account 66 -- "no common lock on a heap block" "$(line account.cpp HERE)" "holds no lock" \
    "protected by: no lock; earlier M1; every access before: M1" "field: bytes 8 to 15 of 56" \
    "also a happens-before race" "1 pair of accesses without a common lock, 1 of them"
  json '"lockset":{"ordered":false,"later":[],"earlier":[1],"common":[1]}'
  check join 66 -- "not a happens-before race" "none of them a happens-before race"
  json '"ordered":true'
  check handover 0 -- "!no common lock"
  check readers 66 -- "$(line readers.cpp HERE)" "for reading, which does not protect a write" \
    "1 pair of accesses"
  check atomics 0 -- "!no common lock"
  check parts 66 -- "not a happens-before race"
  check parts 0 --block 64 -- "!no common lock"
  check finalizer 66 -- "'finalizer 1'"
  check finalizer 0 --exclude-thread "final*" -- "!no common lock"
  check finalizer 0 --exclude-thread other --exclude-thread "finalizer 1" -- "!no common lock"
  check frames 0 -- "!no common lock"
  arguments=(more)
  check frames 66 -- "$(line frames.cpp HERE)" "the stack of main thread" "1 pair of accesses"
  arguments=()
}

if command -v gcc >/dev/null; then
  suite gcc
  check join 66 -- "the program tells of no pointers that it reads"
fi
if command -v clang-19 >/dev/null && [ -e "$(dirname "$steward")/../lib/steward/pass/steward-pass-19.so" ]; then
  suite clang-19 --lockset
  check join 66 -- "!the program tells of no pointers"
  # The owner's accesses count from the time that another thread has read the pointer ...
  build barriers clang-19 --lockset
  check barriers 66 -- "$(line barriers.cpp TAKEN)" "!$(line barriers.cpp OFFERED)" \
    "!$(line barriers.cpp BEHIND)"
  # ... or could have, and what can be reached from there.
  check barriers 66 --barrier write -- "$(line barriers.cpp TAKEN)" "$(line barriers.cpp OFFERED)" \
    "$(line barriers.cpp BEHIND)"
  # Without a barrier, only when it uses what the pointer points to.
  build barriers clang-19
  check barriers 0 -- "!no common lock"
  build ways clang-19 --lockset
  for barrier in read write; do
    check ways 66 --barrier $barrier -- "$(line ways.c ARGUMENT)" "$(line ways.c ATOMIC)" \
      "$(line ways.c COPY)"
  done
  # Another tool runs such a program too.
  "$steward" run ./barriers >out 2>err
  [ $? = 66 ] || fail "barriers with fasttrack"
fi

"$steward" run --barrier write ./join >out 2>err
[ $? = 2 ] || fail "--barrier without --tool lockset"
grep -q -- "--tool lockset" err || fail "what to do about it"

[ "$failed" = 0 ] && echo "all as it should be"
exit "$failed"
