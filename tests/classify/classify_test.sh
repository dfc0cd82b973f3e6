#!/usr/bin/env bash
# `steward classify` on small programs, whose threads meet where nobody sees it: what each run does
# is its seed's.
#   classify_test.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1")
programs=$2/bench/classify/programs
here=$2/tests/classify
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 passed=0

build() { # NAME SOURCE [OPTIONS]
  local name=$1 source=$2
  shift 2
  "$steward" c++ --jumble -O1 -std=c++20 -I"$programs" "$@" "$source" -o "$name" || exit 1
}
# check NAME CODE [out=TEXT | err=TEXT | no-out=TEXT]... -- COMMAND...
check() {
  local name=$1 code=$2 wanted=() w got=0 why=
  shift 2
  while [ "$1" != -- ]; do wanted+=("$1") && shift; done
  shift
  "$@" >out 2>err </dev/null || got=$?
  [ "$got" = "$code" ] || why="exit code $got, not $code"
  for w in "${wanted[@]}"; do
    case $w in
      out=*) grep -qF -e "${w#out=}" out || why="'${w#out=}' is not on stdout" ;;
      err=*) grep -qF -e "${w#err=}" err || why="'${w#err=}' is not on stderr" ;;
      no-out=*) ! grep -qF -e "${w#no-out=}" out || why="'${w#no-out=}' is on stdout" ;;
    esac
  done
  if [ -z "$why" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: $why"
    sed 's/^/    out: /' out | head -n 30
    sed 's/^/    err: /' err | head -n 10
  fi
}
classify=("$steward" classify --baseline 2 --detect 2)

build double_checked "$programs/double_checked.cpp"
check 'double-checked locking' 66 'out=Point::p: no harm seen' 'out=Point::x: destructive' \
  'out=Point::y: destructive' 'out=witness: crash: SIGFPE' 'out=got the initial value' \
  'out=double_checked.cpp:21:49' 'out=3 variables: 2 destructive, 1 no harm seen' \
  -- "${classify[@]}" --runs 8 ./double_checked
check 'a replay' 136 'err=T2 read 0x0 (latest 0x1' -- \
  "$steward" classify --replay 1 --heuristic oldest --variable Point::x ./double_checked
check 'sequentially consistent does nothing' 0 'out=Point::x: no harm seen' 'out=0 were given a stale' \
  -- "${classify[@]}" --runs 2 --heuristic sequentially-consistent --variable Point::x ./double_checked
check 'a report names the variables' 66 'out=Point::x: destructive' -- \
  sh -c '"$0" run --log log --json races.json ./double_checked; "$0" classify --reports races.json --runs 4 ./double_checked' "$steward"
check 'verdicts go into the report' 66 'out=verdict: destructive' -- \
  sh -c '"$0" classify --reports races.json --annotate judged.json --runs 8 ./double_checked >/dev/null; "$0" report judged.json --fail-on destructive' "$steward"
check 'no report to annotate' 2 'err=--annotate needs --reports' -- \
  "$steward" classify --annotate judged.json ./double_checked
check 'JSON' 66 'out="verdict": "destructive"' 'out="latest_write"' 'out="seed": 1' -- \
  "${classify[@]}" --runs 4 --variable Point::x --json - ./double_checked
check 'no such variable' 1 "err=(did you mean 'Point::" -- \
  "${classify[@]}" --variable Point::z ./double_checked
check 'no such place' 1 'err=there is no load or store at double_checked.cpp:1' -- \
  "${classify[@]}" --site double_checked.cpp:1 ./double_checked
check '--check' 66 'out=witness: --check fails' -- \
  "${classify[@]}" --runs 4 --no-output --check 'grep -q "1 1" $STEWARD_STDOUT' --variable Point::y \
  ./double_checked
check 'wrong usage' 2 "err=there is no heuristic 'newest'" -- \
  "$steward" classify --heuristic newest ./double_checked
check 'help' 0 'out=Usage: steward classify' -- "$steward" classify --help

build debug_flag "$programs/debug_flag.cpp"
check 'the same value is no choice' 0 'out=universal_debug: not exercised' \
  'out=each with one legal value' -- "${classify[@]}" --runs 4 ./debug_flag
build unused_counter "$programs/unused_counter.cpp"
check 'a counter nobody uses' 0 'out=RayTracer::thread_count: no harm seen' -- "${classify[@]}" --runs 8 --variable RayTracer::thread_count ./unused_counter
build shutdown "$programs/shutdown.cpp"
check 'a hang' 66 'out=Company::mode: destructive' 'out=witness: hang' -- \
  "${classify[@]}" --runs 2 --timeout 0.3 --heuristic oldest ./shutdown
build statistic "$programs/statistic.cpp"
check 'torn values' 66 'out=(model torn)' -- \
  "${classify[@]}" --runs 12 --heuristic random --atomic-width 4 ./statistic
build nondeterministic "$here/nondeterministic.cpp"
check 'what changes by itself is not compared' 66 \
  'err=its standard output is not always the same: it is not compared' \
  'out=witness: exit code 3 instead of exit code 0' -- "${classify[@]}" --runs 4 ./nondeterministic

for v in relaxed right; do
  code=$([ $v = relaxed ] && echo 66 || echo 0)
  for p in message_passing seqlock dekker; do
    build ${p}_$v "$programs/${p}_$v.cpp"
    check "$p, $v" "$code" -- "${classify[@]}" --runs 24 --atomics ./${p}_$v
  done
done
check 'an atomic by its name' 66 'out=data: destructive' 'out=(model c++)' -- \
  "${classify[@]}" --runs 12 --variable data ./message_passing_relaxed

# Every kind of write is seen: the reader gets the value before it.
build writes "$here/writes.cpp"
fields='by_store by_memcpy by_memset by_struct_copy by_bytes by_read'
check 'all writes are seen' 0 'out=7 7 7 7 7 7
7 7 7 7 7 7' -- "$steward" classify --replay 3 --heuristic oldest \
  $(for f in $fields; do echo --variable Box::$f; done) ./writes

build names "$here/names.cpp"
readelf -p steward_sites names | sed 's/\^I/\t/g' >sites
for name in shop::Till::drawer shop::Price::cents shop::Till::count 'shop::table[]' \
  shop::Item::id plain heap Hidden::field Hidden::nameless.part; do
  check "the name $name" 0 -- awk -F'\t' -v n="$name" '$3 == n { found = 1 } END { exit !found }' sites
done

check 'an atomic field by its place' 0 -- grep -q 'names.cpp:41:' sites

# The same program under the detector: hooks with values are accesses like any others.
check 'steward run takes it' 66 "err=global 'Point::p'" 'err=double_checked.cpp:21:38' -- \
  "$steward" run ./double_checked
STEWARD_CXX=clang++-19 "$steward" c++ -O1 -std=c++20 -I"$programs" "$programs/double_checked.cpp" -o plain
check 'not built for it' 1 "err=was not built with 'steward c++ --jumble'" -- "$steward" classify ./plain
check 'no pass, no --jumble' 1 'err=--jumble needs clang 19' -- \
  env STEWARD_PASS=0 "$steward" c++ --jumble -c "$programs/double_checked.cpp"

# Interrupted: what is known is printed.
"${classify[@]}" --runs 100000 --jobs 1 --variable Point::p ./double_checked >out 2>err &
child=$!
sleep 1
kill -INT $child
wait $child
code=$?
if [ $code != 130 ] || ! grep -q 'interrupted' out; then
  echo "FAILED interrupted: exit code $code"
  failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
