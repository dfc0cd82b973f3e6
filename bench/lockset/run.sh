#!/usr/bin/env bash
# The lockset tool on programs that run: read barrier against write barrier, with and without
# sub-blocks of 64 bytes (the paper's Figures 4 to 7).
#   bench/lockset/run.sh [--quick] [--into-doc] [STEWARD]
#     --quick      one run of each, a fifth of the work
#     --into-doc   the tables into docs/performance-lockset.md
# RUNS (3): runs of each; the least processor time counts, so that what else the machine does matters
# little. Nothing fails for being slow, but a program that computes something else does.
set -euo pipefail

runs=${RUNS:-3} percent=100 into_doc=0 steward=
for arg in "$@"; do
  case "$arg" in
    --quick) runs=1 percent=20 ;;
    --into-doc) into_doc=1 ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    -*) echo "run.sh: no such option: $arg (see --help)" >&2 && exit 2 ;;
    *) steward=$arg ;;
  esac
done
here=$(cd "$(dirname "$0")" && pwd)
steward=$(realpath "${steward:-$here/../../build/release/bin/steward}")
cd "$here"
libraries=$(dirname "$steward")/../lib/steward
out=../../build/bench/lockset
mkdir -p "$out"

# program, percent of its usual work, what it is
programs() {
  sed 's/ *| */|/g' <<'ROWS'
programs/sessions.cpp | 300 | sessions in one table, each used by its thread
programs/symbols.cpp | 100 | trees that hang from a global list, private in fact
programs/lists.cpp | 200 | private lists
programs/accounts.cpp | 200 | shared accounts, a lock each
programs/rows.cpp | 160 | one array, a band of rows each, barriers
../live/kernels/queue.c | 10 | blocks handed from thread to thread
../live/kernels/containers.cpp | 10 | private containers
../live/kernels/hash_map.cpp | 5 | a shared map, a lock a bucket
../live/kernels/tree_search.cpp | 4 | a tree that one thread builds and all search
../live/kernels/merge_sort.cpp | 4 | arrays, sorted by threads that fork and join
../live/kernels/float_arrays.cpp | 5 | arrays, in equal parts
ROWS
}
configurations='plain fasttrack read write read-64 write-64'

options() { # of the runtime
  local barrier=${1%-64} block=0
  [ "$barrier" = "$1" ] || block=64
  echo "lockset_barrier=$barrier:lockset_block=$block"
}
# once CONFIGURATION PROGRAM SCALE: "seconds" and, of the lockset tool, its counters
once() {
  local tool=lockset time
  rm -f "$out"/record*
  TIMEFORMAT='%U %S'
  if [ "$1" = plain ]; then
    time=$({ time "$out/$2-plain" "$3" >"$out/sum"; } 2>&1)
  else
    [ "$1" != fasttrack ] || tool=fasttrack
    # The library alone, without a reporter that would be measured too.
    time=$({ time env LD_PRELOAD="$libraries/$tool/libtsan.so.2" STEWARD_RECORD="$out/record" \
      STEWARD_OPTIONS="exitcode=0:$(options "$1")" "$out/$2" "$3" >"$out/sum"; } 2>&1)
  fi
  awk '{ printf "%.3f", $1 + $2 }' <<<"$time"
  cat "$out"/record* 2>/dev/null | grep '"type":"end"' | tail -n 1 |
    sed 's/.*"stats":{//; s/}.*//; s/"//g; s/[:,]/\t/g; s/^/\t/' | tr -d '\n'
}

: >"$out/results.tsv"
while IFS='|' read -r source scale what; do
  name=$(basename "${source%.*}")
  scale=$(((scale * percent + 99) / 100))
  if [ "${source##*.}" = c ]; then driver=cc plain=clang-19 std=; else driver=c++ plain=clang++-19 std=-std=c++20; fi
  STEWARD_CC=clang-19 STEWARD_CXX=clang++-19 "$steward" $driver --lockset $std -O2 -pthread "$source" \
    -o "$out/$name"
  $plain $std -O2 -pthread "$source" -o "$out/$name-plain"
  echo "$name: $what" >&2
  for ((run = 0; run < runs; ++run)); do
    for c in $configurations; do
      printf '%s\t%s\t%s\t%s\n' "$name" "$what" "$c" "$(once "$c" "$name" "$scale")" >>"$out/results.tsv"
      if [ "$c" = plain ]; then
        mv "$out/sum" "$out/expected"
      elif ! cmp -s "$out/sum" "$out/expected"; then
        echo "run.sh: $name under $c computed something else" >&2
        exit 1
      fi
    done
  done
done < <(programs)

awk -F'\t' -f tables.awk "$out/results.tsv" >"$out/tables.md"
if [ $into_doc = 1 ]; then
  ../into-doc.sh ../../docs/performance-lockset.md lockset <"$out/tables.md"
else
  cat "$out/tables.md"
fi
