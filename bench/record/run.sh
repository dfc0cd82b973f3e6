#!/usr/bin/env bash
# What recording costs: kernels of bench/live natively, under clang's ThreadSanitizer and recorded,
# two threads. Medians of wall-clock time, and how large the traces are. Into docs/record.md.
#   bench/record/run.sh [--into-doc] STEWARD
# RUNS (3): of each. SCALE (10): percent of a kernel's usual work.
set -euo pipefail

into_doc=0
[ "${1:-}" = --into-doc ] && into_doc=1 && shift
steward=$(realpath "$1") runs=${RUNS:-3} scale=${SCALE:-10}
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STEWARD_CC=clang-19 STEWARD_CXX=clang++-19

# median COMMAND...: of its seconds
median() {
  for _ in $(seq "$runs"); do
    /usr/bin/time -o "$work/time" -f %e "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
    cat "$work/time"
  done | sort -n | awk '{ e[NR] = $1 } END { print e[int((NR + 1) / 2)] }'
}
{
  echo
  echo "| kernel | native (s) | ThreadSanitizer | recorded | recorded / TSan | million events | bytes an event | bytes an access |"
  echo "|---|---:|---:|---:|---:|---:|---:|---:|"
  for file in ../live/kernels/*.c ../live/kernels/*.cpp; do
    name=$(basename "${file%.*}")
    if [ "${file##*.}" = c ]; then compiler=clang-19 language=cc flags=-std=gnu11; else compiler=clang++-19 language=c++ flags=-std=gnu++17; fi
    $compiler $flags -O2 -g -pthread "$file" -o "$work/native"
    $compiler $flags -O2 -g -pthread -fsanitize=thread "$file" -o "$work/tsan"
    "$steward" $language --record $flags -O2 -g -pthread "$file" -o "$work/recorded"
    native=$(median "$work/native" "$scale" 2)
    tsan=$(median "$work/tsan" "$scale" 2)
    recorded=$(median "$steward" record -o "$work/trace" "$work/recorded" "$scale" 2)
    read -r events accesses < <(sed -n -E 's/.*: ([0-9,]+) events \(([0-9,]+) accesses\).*/\1 \2/p' "$work/err" | tr -d ,)
    echo "$name $native $tsan $recorded $events $accesses $(stat -c %s "$work/trace")"
  done | awk '{ n = $2 < 0.01 ? 0.01 : $2
      printf "| %s | %.2f | %.1fx | %.1fx | %.1f | %.1f | %.2f | %.2f |\n", $1, $2, $3 / n, $4 / n, $4 / $3, $5 / 1e6, $7 / $5, $7 / $6
      product += log($4 / $3); ++rows; b += $7; a += $6 }
    END { printf "| all: geometric mean, sum | | | | %.1f | | | %.2f |\n", exp(product / rows), b / a }'
  echo
} >"$work/table"
if [ $into_doc = 1 ]; then
  ../into-doc.sh ../../docs/record.md record-cost <"$work/table"
else
  cat "$work/table"
fi
