#!/usr/bin/env bash
# Reports of real runs: the tutorial's program, a rebuild with shifted lines, a 'steward run' that was
# killed.
#   report_live.sh STEWARD SOURCE_DIR
set -euo pipefail
steward=$(realpath "$1")
source_dir=$(realpath "$2")
work=$(mktemp -d)
cleanup() {
  # the program outlives its launcher
  if [ -s "$work/pid" ]; then kill -9 "$(cat "$work/pid")" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work"

fail() {
  echo "FAILED: $1"
  tail -n 40 out
  exit 1
}
# The tutorial's program. Its test may notice that it is wrong (1), or not (66).
cache=$source_dir/examples/cache/cache_test.cpp
"$steward" c++ -std=c++20 -O1 "$cache" -o racy
"$steward" c++ -DFIXED -std=c++20 -O1 "$cache" -o fixed
for i in 1 2 3; do
  code=0
  "$steward" run --json "run$i.json" ./racy >>out 2>&1 || code=$?
  [ $code -eq 66 ] || [ $code -eq 1 ] || fail "the cache's test ended with $code"
done
grep -q "for reading, which orders nothing" out || fail "the cause is not told"
"$steward" run ./fixed >out 2>&1 || fail "the fixed cache has a race"

# A forked child ends as its parent does.
cat >forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char** words) {
  (void)words;
  if (fork() == 0) {
    if (count > 1) _exit(0);
    return 0;
  }
  int status = 1;
  return wait(&status) < 0 || status != 0;
}
END
"$steward" cc forks.c -o forks
for how in "" _exit; do
  "$steward" run ./forks $how >out 2>&1 || fail "a program that forks: exit code $?"
  [ ! -s out ] || fail "a child that ends is taken for one that was killed"
done

# Nobody reads the report any more: that is no reason to be aborted, which the shell would say there too.
for _ in 1 2 3; do
  echo killed >code
  { "$steward" run ./racy || echo $? >code; } 2>&1 >none | head -n 1 >out || true
  case $(cat code) in
    1 | 66) ;;
    *) fail "a report that is not read to its end: $(cat code)" ;;
  esac
done

# A full disk, as a limit on the size of files makes one: at once, and in the middle.
for kilobytes in 0 1; do
  (
    trap '' XFSZ
    ulimit -f $kilobytes
    code=0
    "$steward" run ./racy 2>&1 || code=$?
    echo "exit code $code"
  ) | cat >out
  grep -q "cannot write race records to .* (disk full" out || fail "a full disk is not told of"
  case $kilobytes in
    0) grep -q "could not be written to .*TMPDIR.*; nothing was checked" out || fail "nothing recorded, and why" ;;
    1) grep -q "the report is incomplete" out || fail "a report that lacks races does not say so" ;;
  esac
  grep -q "exit code 0" out && fail "nothing was found, as if nothing were there"
done

# A program whose races are there in every run: main and a thread, with nothing between them.
mkdir before after
cat >before/three.c <<'EOF'
#include <pthread.h>
int a, b, c[8];
static void deep(int n) { if (n > 0) deep(n - 1); else ++c[4]; }
static int read_b(void) { return b; }
static void* work(void* unused) {
  a = 1;
  b = 1;
  deep(3);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  a = 2;
  deep(5);
  int sum = read_b();
  pthread_join(thread, 0);
  return sum > 1;
}
EOF
# every function further down, in another folder, at other addresses
sed -e '1i // one\n// two\n// three' -e 's/^static int read_b/static void unused(void) {}\n&/' \
  -e 's/^int main/void more(void) { unused(); }\n\n&/' before/three.c >after/three.c
for version in before after; do
  "$steward" cc -O1 -fno-inline -fno-optimize-sibling-calls "$version/three.c" -o "$version/three"
  "$steward" run --json "$version.json" "$version/three" >out 2>&1 || [ $? -eq 66 ] || fail "$version"
done
"$steward" report after.json --baseline before.json >out 2>&1 || fail "races are new after a rebuild"
grep -q "3 data races (0 new)" out || fail "a rebuild with shifted lines"
# what differs is told
sed -i 's/^  a = 2;/  ;\n  a = 2;/' after/three.c
"$steward" cc -O1 -fno-inline -fno-optimize-sibling-calls after/three.c -o after/three
"$steward" run --json after.json after/three >out 2>&1 || [ $? -eq 66 ] || fail "after"
code=0
"$steward" report after.json --baseline before.json >out 2>&1 || code=$?
[ $code -eq 66 ] || fail "an edit above an access gives it a new name"

# Killed in the middle: what was found until then is in the records.
cat >wait.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int shared;
static void* work(void* unused) { shared = 1; return unused; }
int main(void) {
  FILE* pid = fopen("pid", "w");
  fprintf(pid, "%d\n", (int)getpid());
  fclose(pid);
  alarm(120);  // whatever happens to those who wait
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  shared = 2;
  pthread_join(thread, 0);
  for (;;) pause();
}
EOF
"$steward" cc -O1 wait.c -o wait
mkdir tmp
TMPDIR=$work/tmp "$steward" run --log log ./wait >/dev/null 2>&1 &
launcher=$!
for ((i = 0; i < 1000; ++i)); do
  grep -qs SUMMARY log && break
  sleep 0.02
done
kill -9 "$launcher"
wait "$launcher" 2>/dev/null || true
kill -9 "$(cat pid)" 2>/dev/null || true
code=0
"$steward" report tmp/steward-* >out 2>&1 || code=$?
[ $code -eq 66 ] || fail "the records of a killed run: exit code $code"
grep -q "data race on global 'shared'" out || fail "the race is not in the records"
grep -q "incomplete" out || fail "the report does not say that it is incomplete"
echo "reports of real runs are fine"
