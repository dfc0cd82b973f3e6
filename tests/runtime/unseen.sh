#!/usr/bin/env bash
# A library that counts for nothing (option 'unseen'): what its locks order is its own affair, whatever their
# kind; a lock that the program takes is the program's, whoever gives it.
#   unseen.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1") source=$(realpath "$2")
here=$source/tests/runtime/unseen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export STEWARD_OPTIONS=unseen=libquiet.
failed=0

gcc -shared -fPIC "$here/quiet.c" -o libquiet.so || exit 1
build() {
  STEWARD_CC=gcc "$steward" cc -g -O1 -pthread -I"$source/tests/programs" "$here/$1.c" -o "$1" -L. -lquiet -Wl,-rpath,"$work" || exit 1
}
build locks
build forks
# ends CODE COMMAND...
ends() {
  local want=$1 code=0
  shift
  timeout 120 "$@" >out 2>&1 </dev/null || code=$?
  [ "$code" = "$want" ] && return
  echo "FAIL ${*:2}: exit code $code and not $want"
  head -n 20 out | sed 's/^/    /'
  failed=1
}

for tool in fasttrack pacer; do
  for kind in mutex spin read write mtx; do
    ends 66 "$steward" run --tool $tool ./locks own $kind
    ends 0 env STEWARD_OPTIONS= "$steward" run --tool $tool ./locks own $kind
    ends 0 "$steward" run --tool $tool ./locks given $kind
  done
  ends 0 "$steward" run --tool $tool ./locks given wait
  ends 66 "$steward" run --tool $tool ./locks again
  grep -q 'T2 holds no lock' out || { echo "FAIL --tool $tool: that T1 holds one is not told"; failed=1; }
done
# Threads are made while another forks: in the child, where they are not, threads can be made too.
for i in {1..150}; do cp libquiet.so "other$i.so"; done
ends 0 "$steward" run ./forks ./other*.so

[ $failed = 0 ] && echo "what a library does that is unseen counts for nothing"
exit $failed
