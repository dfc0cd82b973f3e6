#!/usr/bin/env bash
# What jumbling costs: kernels of bench/live with one jumbled variable under the sequentially
# consistent heuristic (the paper's Figure 10), against the same programs under the same library with
# none.
#   bench/classify/overhead.sh [--into-doc] STEWARD
# RUNS (5): runs of each. SCALE (30): percent of a kernel's usual work.
set -euo pipefail

into_doc=0
[ "${1:-}" = --into-doc ] && into_doc=1 && shift
steward=$(realpath "$1") runs=${RUNS:-5} scale=${SCALE:-30}
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number() { sed -n "s/.*\"$1\": \([0-9.e+-]*\),*\$/\1/p" "$work/json" | head -n 1; }
{
  echo "| kernel | variable | instances | writes | none jumbled (CPU s) | jumbled (CPU s) | ratio | largest buffer | compressed |"
  echo "|---|---|---|---|---|---|---|---|---|"
  while read -r kernel variable; do
    compiler=$([ "${kernel##*.}" = c ] && echo cc || echo c++)
    "$steward" $compiler --jumble -O2 "../live/kernels/$kernel" -o "$work/program" -lm
    "$steward" classify --jobs 1 --variable "$variable" --heuristic sequentially-consistent \
      --runs "$runs" --baseline "$runs" --timeout 100 --json "$work/json" "$work/program" "$scale" \
      >/dev/null </dev/null
    awk -v k="$kernel" -v v="$variable" -v n="$runs" -v base="$(number mean_cpu_seconds)" \
      -v all="$(sed -n '/"heuristics"/,$p' "$work/json" | sed -n 's/.*"cpu_seconds": \([0-9.e+-]*\).*/\1/p' | head -n 1)" \
      -v i="$(number instances)" -v w="$(number writes)" -v u="$(number largest_buffer_uncompressed)" \
      -v c="$(number largest_buffer)" 'BEGIN {
        printf "| %s | `%s` | %d | %d | %.2f | %.2f | %.2f | %d | %d |\n",
          k, v, i / n, w / n, base, all / n, all / n / base, u, c }'
  done <<'ROWS'
queue.c length
queue.c Share::sum
stencil.c rounds
bytes.c rounds
rwlock.c Share::sum
short_threads.c Job::result
ROWS
} >"$work/table"
if [ $into_doc = 1 ]; then
  ../into-doc.sh ../../docs/classify.md classify-overhead <"$work/table"
else
  cat "$work/table"
fi
