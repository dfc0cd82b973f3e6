#!/usr/bin/env bash
# lard.h: any C99 or C++ compiler takes it, a program that includes it needs no library, and each misuse
# is told once, with the line of the call.
#   lard.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  echo "FAIL $1"
  failed=1
}

misuse=$source/tests/programs/lard/misuse_ok.c
cat >"$work/header.c" <<'END'
#include <steward/lard.h>
int main(void) {
  steward_lard_system_begin();
  steward_lard_clear_history(0, 8);
  steward_lard_system_end();
  return (int)steward_lard_thread_create("x") + steward_lard_version();
}
END
for compiler in "gcc -std=c99" "gcc -std=c11 -O2" "clang-19 -std=c99" "g++ -x c++ -std=c++98" \
  "g++ -x c++ -std=c++20 -O2" "clang++-19 -x c++ -std=c++20" "gcc -DSTEWARD_LARD_OFF" "gcc -static -O2"; do
  # shellcheck disable=SC2086 # words, not one word
  $compiler -pedantic -Wall -Wextra -Werror -I"$source/include" -o "$work/header" "$work/header.c" ||
    fail "$compiler does not take the header"
  "$work/header" || fail "$compiler: without a tool a call does something"
done
gcc -O2 -pthread -o "$work/plain" "$misuse" || fail "no library should be needed"
[ "$("$work/plain")" = done ] || fail "without a tool the program does not run as it should"
ldd "$work/plain" | grep -qE 'tsan|steward' && fail "a library is needed"

# A gcc binary as it is, linked with gcc's own libtsan, and one by `steward cc`.
gcc -g -O1 -fsanitize=thread -pthread -o "$work/gcc" "$misuse"
"$steward" cc -g -O1 -pthread -o "$work/ours" "$misuse"
told=(
  "a system region is ended that this thread has not begun|15"
  "history is copied between ranges that overlap|16"
  "a switch to an unknown thread|17"
  "a switch to a thread that runs on another kernel thread|18"
  "the end of a thread that was not created by thread_create|19"
  "the end of an unknown thread|20"
  "an entry of the thread's vector clock is lowered|21"
  "an entry of the vector clock is raised above what its thread has told|22"
  "synchronisation on an object that is no address|23"
  "history is cleared outside the address space|24"
)
for program in gcc ours; do
  "$steward" run "$work/$program" >"$work/out" 2>"$work/err" || fail "$program: exit code $?"
  for line in "${told[@]}"; do
    text=${line%|*}
    [ "$(grep -cF "misuse of lard.h, without effect: $text" "$work/err")" = 1 ] ||
      fail "$program: not told once: $text"
    grep -A3 -F "effect: $text" "$work/err" | grep -q "misuse_ok.c:${line#*|}:" ||
      fail "$program: not at line ${line#*|}: $text"
  done
  [ "$(grep -c 'misuse of lard.h' "$work/err")" = ${#told[@]} ] || fail "$program: more is told"
done

[ "$failed" = 0 ] && echo "all as it should be"
exit "$failed"
