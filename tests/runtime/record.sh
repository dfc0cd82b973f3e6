#!/usr/bin/env bash
# steward record: what is recorded is analysed to the verdict that the program has, can have happened,
# survives the program's death, ends at its limit, and has instruction counts if asked for.
#   record.sh STEWARD COMPILER...
set -euo pipefail

steward=$(realpath "$1")
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/record" && pwd)
programs=$(cd "$here/../../programs" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"
failed=0
fail() {
  echo "FAIL $*" >&2
  failed=1
}

# expect WHAT CODE COMMAND...: output in stdout and stderr
expect() {
  local what=$1 code=$2 got=0
  shift 2
  "$@" >stdout 2>stderr </dev/null || got=$?
  [ "$got" = "$code" ] && return
  fail "$what: exit code $got, not $code: $*"
  head -n 10 stderr >&2
}
says() { grep -qE -- "$2" stderr stdout || fail "$1: no line '$2'"; }
silent() { if grep -qE -- "$2" stderr; then fail "$1: a line '$2'"; fi; }

build() { # build COMPILER SOURCE PROGRAM FLAGS...: --record where the compiler has the pass
  local compiler=$1 source=$2 program=$3 language=cc
  shift 3
  [[ $source == *.cpp ]] && language=c++
  STEWARD_CC=$compiler STEWARD_CXX=${compiler/clang/clang++} && STEWARD_CXX=${STEWARD_CXX/gcc/g++}
  export STEWARD_CC STEWARD_CXX
  "$steward" "$language" "$@" -O2 -g -pthread "$source" -o "$program"
}

for compiler in "$@"; do
  flags=()
  [ "$compiler" = gcc ] && flags=(-Wno-tsan)
  # --- each primitive, without and with a race, by three detectors ------------------------------
  build "$compiler" "$here/locks.cpp" locks "${flags[@]}"
  build "$compiler" "$here/locks.cpp" racy -DRACY "${flags[@]}"
  expect "$compiler: exit code of the program" 3 "$steward" record -o locks.trace ./locks x
  says "$compiler" '^done$'
  says "$compiler" 'locks.trace: [0-9,]+ events .* bytes an event'
  says "$compiler" 'no instruction counts'
  says "$compiler: fork" '1 other process was not recorded'
  expect "$compiler: no race" 0 "$steward" analyze locks.trace --detector fasttrack,generic
  expect "$compiler: another clock" 0 env STEWARD_RECORD_CLOCK=counter "$steward" record -o clock.trace ./locks
  expect "$compiler: another clock" 0 "$steward" analyze clock.trace --detector fasttrack,generic
  expect "$compiler: recorded" 0 "$steward" record ./racy
  expect "$compiler: race" 66 "$steward" analyze racy.trace --detector fasttrack,generic
  says "$compiler: both sides named" 'write at .*locks.cpp:74 by T[12] races with earlier write at .*locks.cpp:74'
  expect "$compiler: as text" 0 "$steward" convert locks.trace locks.std
  for op in 'stack\(' 'fork\(T1\)' 'join\(T2\)' 'racq\(' 'rrel\(' 'acq\(' 'vw\(' 'vr\(' 'vs\(' 'alloc\(' 'move\(' \
    'ar\(' 'aw\(' 'end$' 'syscall' 'enter\(work' 'exit\(work'; do
    grep -qE "$op" locks.std || fail "$compiler: no $op in the trace"
  done
  if grep -q 'instr(' locks.std; then fail "$compiler: instructions that nobody counted"; fi
done

# --- counts of instructions, and every access: clang's pass -----------------------------------------
compiler=clang-19
build clang-19 "$here/long.c" long --record
build clang-19 "$here/long.c" long_plain
expect "counts" 0 "$steward" record -o long.trace ./long
silent "counts" 'no instruction counts'
accesses=$(sed -n -E 's/.*\(([0-9,]+) accesses\).*/\1/p' stderr | tr -d ,)
# 400 rounds of 2048 elements, read and written, by two threads.
[ "$accesses" -ge 3276800 ] || fail "only $accesses accesses of long.c, of 3276800 and some"
expect "counts" 0 "$steward" simulate long.trace --machines none --format csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "instructions") c = i; next } { if ($c < 3000000) exit 1 }' \
  stdout || fail "too few instructions"
expect "counts under another tool" 0 "$steward" run ./long
expect "the pass without --record" 0 "$steward" record -o plain.trace ./long_plain
says "the pass without --record" 'no instruction counts'
expect "the pass without --record" 0 "$steward" analyze plain.trace

# A loop's stretch is one entry, and every access of it in the trace: a read and a write in turn.
build clang-19 "$here/loop.c" loop --record
expect "loop" 0 "$steward" record -o loop.trace ./loop
[ "$(stat -c %s loop.trace)" -lt 20000 ] || fail "loop: $(stat -c %s loop.trace) bytes for 12000 accesses"
expect "loop" 0 "$steward" convert loop.trace loop.std
for way in FORWARDS BACKWARDS; do
  line=$(grep -n "// $way" "$here/loop.c" | cut -d: -f1)
  grep -E "loop.c:$line\$" loop.std | sed -n -E 's/.*\|([rw])\(0x([0-9a-f]+),4\).*/\1 \2/p' >loop.accesses
  bash -c 'while read -r kind address; do echo "$kind $((16#$address))"; done' <loop.accesses | awk -v step=$([ $way = FORWARDS ] && echo 4 || echo -4) '
    $1 != (NR % 2 ? "r" : "w") { exit bad = 1 }
    NR > 2 && $2 != last[$1] + step { exit bad = 1 }
    { last[$1] = $2 }
    END { exit bad || NR != 6000 }' || fail "loop: not every access in its order, $way"
done
expect "loop: instructions" 0 "$steward" simulate loop.trace --machines none --format csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "instructions") c = i; next } { if ($c < 12000 || $c > 60000) exit 1 }' \
  stdout || fail "loop: the instructions of its rounds"
expect "loop under another tool" 0 "$steward" run ./loop

build clang-19 "$here/crowd.c" crowd --record
expect "600 threads" 0 timeout 60 "$steward" record -o crowd.trace ./crowd
expect "600 threads" 0 "$steward" analyze crowd.trace
says "600 threads" 'of 601 threads'

# --- a limit ----------------------------------------------------------------------------------------
expect "limit" 0 "$steward" record --limit 2K -o cut.trace ./long
says "limit" 'ends at its limit'
[ "$(stat -c %s cut.trace)" -lt 200000 ] || fail "limit: $(stat -c %s cut.trace) bytes"
expect "limit: a partial result" 1 "$steward" analyze cut.trace
says "limit" 'the recording ended at its limit'
expect "bad limit" 2 "$steward" record --limit lots ./long

# --- a program that is killed -----------------------------------------------------------------------
build clang-19 "$here/locks.cpp" endless --record -DRACY -DKILL
"$steward" record -o killed.trace ./endless >endless.out 2>endless.err &
recorder=$!
for _ in {1..500}; do
  grep -q 'done' endless.out && break
  sleep 0.02
done
kill -9 "$(pgrep -P $recorder -x endless)"
code=0
wait $recorder || code=$?
[ "$code" = 137 ] || fail "killed: exit code $code, not 137"
grep -q 'was killed by SIGKILL' endless.err || fail "killed: not said"
expect "killed: the race before it is there" 66 "$steward" analyze killed.trace

# --- a recorder that is killed: readable to the last block -----------------------------------------
"$steward" record -o orphan.trace ./endless >endless.out 2>/dev/null &
recorder=$!
for _ in {1..500}; do
  grep -q 'done' endless.out && break
  sleep 0.02
done
sleep 1.3  # what there is has been written
program=$(pgrep -P $recorder -x endless)
kill -9 $recorder
code=0
wait $recorder 2>/dev/null || code=$?
[ "$code" = 137 ] || fail "orphan: the recorder ended with $code before it was killed"
kill -9 "$program"
expect "orphan: partial" 1 "$steward" analyze orphan.trace
says "orphan" 'data race on'
says "orphan" 'partial trace'

# --- misuse -------------------------------------------------------------------------------------------
expect "no program" 2 "$steward" record
expect "not instrumented" 1 "$steward" record /bin/true
expect "no such folder" 1 "$steward" record -o /nowhere/x.trace ./long
STEWARD_TOOL=record build clang-19 "$here/long.c" alone
expect "by itself" 0 ./alone
says "by itself" 'run it with: steward record'

# --- some of the programs with a verdict of their own -------------------------------------------------
"$programs/run.sh" --tool record --steward "$steward" --compiler clang-19 --opt O2 \
  "$programs"/fences/*_release_*_ok.* "$programs"/lard/moved_race.c "$programs"/lard/fiber_moves_*.cpp \
  "$programs"/rwlock/*_race.c "$programs"/heap/*free*_race.c >programs.out || { cat programs.out >&2; failed=1; }

# --- recorded and audited at once ---------------------------------------------------------------------
build clang-19 "$programs/lard/moved_race.c" moved --record
expect "audit" 0 "$steward" audit ./moved
says "audit" 'Without your copy-history calls this run would have had .* missed report'
cat >writers.c <<'EOF'
#include <pthread.h>
#include <string.h>
static int x;
static void* write_it(void* none) { ++x; return none; }
int main(int count, char** words) {
  if (count != 2 || strcmp(words[1], "--two") != 0) return 0;
  pthread_t a, b;
  pthread_create(&a, 0, write_it, 0);
  pthread_create(&b, 0, write_it, 0);
  pthread_join(a, 0);
  return pthread_join(b, 0);
}
EOF
build clang-19 writers.c writers --record
expect "audit with arguments" 0 "$steward" audit -- ./writers --two
says "audit with arguments" 'data race.* 1 site'
expect "audit without" 0 "$steward" audit ./writers
says "audit without" 'no data race'

[ $failed = 0 ] && echo "all as expected"
exit $failed
