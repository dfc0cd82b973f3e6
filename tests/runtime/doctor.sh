#!/usr/bin/env bash
# 'steward doctor' with its trial, on programs it must tell apart.
#   doctor.sh STEWARD
set -euo pipefail
steward=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

expect() { # CODE TEXT COMMAND...
  local want=$1 text=$2 code=0
  shift 2
  "$@" >out 2>&1 || code=$?
  if [ $code -ne "$want" ] || ! grep -qF -e "$text" out; then
    echo "FAILED: $*: exit code $code (expected $want), '$text'?"
    cat out
    exit 1
  fi
}

echo 'int shared(int* p) { return ++*p; }' >lib.c
echo 'int shared(int*); int x; int main(void) { return shared(&x) != 1; }' >main.c
gcc -shared -fPIC -g lib.c -o libplain.so
"$steward" cc -shared -fPIC lib.c -o libseen.so
"$steward" cc main.c -o mixed -L. -lplain -Wl,-rpath,"$work"
"$steward" cc main.c -o all -L. -lseen -Wl,-rpath,"$work"
"$steward" cc -g0 main.c -o nolines -L. -lseen -Wl,-rpath,"$work"
gcc main.c -o onlylib -L. -lseen -Wl,-rpath,"$work"

expect 0 "a small program was built, and its race was found" "$steward" doctor
expect 0 "not instrumented: libplain.so" "$steward" doctor --no-trial ./mixed
expect 0 "all instrumented: libseen.so" "$steward" doctor --no-trial ./all
expect 0 "there: reports will have lines" "$steward" doctor --no-trial ./all
expect 0 "none: reports will have functions at best" "$steward" doctor --no-trial ./nolines
expect 0 "not instrumented, but a library of it is" "$steward" doctor --no-trial ./onlylib
expect 1 "none does not run" env STEWARD_CXX=none STEWARD_CC=none "$steward" doctor
expect 1 "no runtime library in" env STEWARD_LIBDIR="$work" "$steward" doctor --no-trial
