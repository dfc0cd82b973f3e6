#!/usr/bin/env bash
# LiteRace live: it misses a race of two hot accesses that FastTrack and PACER find, finds a race in
# cold code, and says how much it sampled. Through the pass and through the plain ABI.
#   literace.sh STEWARD COMPILER...
set -euo pipefail

steward=$(realpath "$1")
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/literace" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

# expect WHAT CODE PATTERN OPTIONS...: the exit code, and a line of the report ('' : any)
expect() {
  local what=$1 code=$2 pattern=$3 got=0
  shift 3
  "$steward" run --stats "$@" >"$out/stdout" 2>"$out/stderr" || got=$?
  if [ "$got" != "$code" ] || ! grep -qE "$pattern" "$out/stderr"; then
    echo "FAIL $what: steward run $*: exit code $got (wanted $code, and '$pattern')" >&2
    head -n 20 "$out/stderr" >&2
    failed=1
  fi
}
counter() { sed -n -E "s/^ *$1 *([0-9]+).*/\1/p" "$out/stderr"; }

for compiler in "$@"; do
  export STEWARD_CC=$compiler
  "$steward" cc -O2 -pthread "$here/hot.c" -o "$out/hot"
  "$steward" cc -O2 -pthread -DCOLD "$here/hot.c" -o "$out/cold"
  expect "$compiler, hot" 66 "global 'hot'" "$out/hot"
  expect "$compiler, hot" 66 "global 'hot'" --sample 100% "$out/hot"
  for seed in 1 2 3 4 5; do
    expect "$compiler, hot" 0 'executions_skipped' --tool literace --seed $seed "$out/hot"
    # 0.1% once it is hot: some hundreds of 800000 executions.
    sampled=$(counter executions_sampled) skipped=$(counter executions_skipped)
    if ! [ "$sampled" -ge 100 ] || ! [ "$sampled" -le 4000 ] || ! [ "$skipped" -ge 790000 ]; then
      echo "FAIL $compiler: sampled $sampled executions, skipped $skipped" >&2
      failed=1
    fi
    expect "$compiler, cold" 66 "global 'cold'" --tool literace --seed $seed "$out/cold"
    ! grep -q "global 'hot'" "$out/stderr" || { echo "FAIL $compiler: found 'hot'" >&2; failed=1; }
  done
  # With bursts as long as the run, everything is sampled.
  STEWARD_OPTIONS=burst=1000000 expect "$compiler, one burst" 66 "global 'hot'" --tool literace \
    "$out/hot"
done
exit $failed
