#!/usr/bin/env bash
# What sampling costs and what it finds: PACER at many rates, beside FastTrack and ThreadSanitizer.
#   bench/sampling/run.sh [--quick] [options]
#     --parts 'A B'     only these of: cost scaling detection counters
#     --rows 'A B'      of cost: rows of bench/live (all: its kernels, and real programs)
#     --rates 'A B'     of cost, in percent (0 1 3 10 25 50 100)
#     --runs N          of cost (5) and scaling (3); tables show medians and (min-max)
#     --scale P         of cost and counters: percent of a row's usual work (400: at 1% some
#                       three periods of a run are sampled; with less most runs have none)
#     --threads 'A B'   of scaling (2 8 64 256)
#     --scaling-rows 'A B'   (hash_map tree_search)
#     --scaling-scale P      percent of the usual work (100)
#     --trials N        of detection: runs of each program at each rate (200)
#     --detection-rates 'A B'   in percent, or literace, for comparison (3 10 25 50 100 literace)
#     --steward BIN     (build/release/bin/steward)
#     --out DIR         where builds and results go (build/bench/sampling)
#     --doc             put the tables and plots of these parts into docs/performance-sampling.md; what it
#                       has of other parts stays
#     --again           only make tables and plots of the last results of these parts again
# --quick: scale 10, two runs, 40 trials. Nothing fails for being slow.
# Results: cost.tsv, threads-N.tsv, detection.tsv, counters.tsv, a table of each part, and plots as
# SVG, in --out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
STEWARD=$root/build/release/bin/steward
parts='cost scaling detection counters' rates='0 1 3 10 25 50 100' runs=5 scale=400 trials=200
scaling_runs=3 scaling_scale=100
threads='2 8 64 256' scaling_rows='hash_map tree_search' detection_rates='3 10 25 50 100 literace'
out=$root/build/bench/sampling doc=0 again=0 rows=''
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) runs=2 scaling_runs=2 scale=10 scaling_scale=10 trials=40 && shift ;;
    --parts) parts=$2 && shift 2 ;;
    --rows) rows=$2 && shift 2 ;;
    --rates) rates=$2 && shift 2 ;;
    --runs) runs=$2 scaling_runs=$2 && shift 2 ;;
    --scale) scale=$2 && shift 2 ;;
    --threads) threads=$2 && shift 2 ;;
    --scaling-rows) scaling_rows=$2 && shift 2 ;;
    --scaling-scale) scaling_scale=$2 && shift 2 ;;
    --trials) trials=$2 && shift 2 ;;
    --detection-rates) detection_rates=$2 && shift 2 ;;
    --steward) STEWARD=$(realpath "$2") && shift 2 ;;
    --out) out=$(realpath -m "$2") && shift 2 ;;
    --doc) doc=1 && shift ;;
    --again) again=1 && shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    *) echo "run.sh: no such option: $1 (see --help)" >&2 && exit 2 ;;
  esac
done
for part in $parts; do
  case "$part" in
    cost | scaling | detection | counters) ;;
    *) echo "run.sh: no such part: $part (see --help)" >&2 && exit 2 ;;
  esac
done
programs=$root/bench/programs # whose rows bench/live/run.sh has
# shellcheck source-path=SCRIPTDIR source=../live/names.sh
. "$root/bench/live/names.sh"
# shellcheck disable=SC2086  # both are words
must_be_rows $rows $scaling_rows
for rate in $rates ${detection_rates//literace/}; do
  is_rate "$rate" || { echo "run.sh: no such rate: $rate (percent, 0 to 100)" >&2 && exit 2; }
done
mkdir -p "$out/races"
progress() { if [ -t 2 ]; then printf '\r\033[K%s' "$*" >&2; else printf '%s\n' "$*" >&2; fi; }

# --- cost and scaling: by the live benchmark's runner ---------------------------------------------

# measure RESULT CONFIGURATIONS OPTIONS...
measure() {
  local result=$1 configurations=$2
  shift 2
  if ! "$root/bench/live/run.sh" --configs "$configurations" \
    --steward "$STEWARD" --out "$out" "$@" >"$out/live.log"; then
    sed -n '/^Failed:/,$p' "$out/live.log" >&2
    echo "run.sh: nothing is made of results with a failure: $out/live.tsv" >&2
    exit 1
  fi
  mv "$out/live.tsv" "$out/$result.tsv"
}

pacers() { for rate in $1; do printf 'pacer-%s ' "$rate"; done; }

run_cost() {
  measure cost "tsan-clang steward-clang $(pacers "$rates")" --runs "$runs" --scale "$scale" \
    --rows "$rows"
}

run_scaling() {
  local n
  rm -f "$out"/threads-*.tsv
  for n in $threads; do
    measure "threads-$n" 'tsan-clang steward-clang pacer-1' --runs "$scaling_runs" \
      --scale "$scaling_scale" --rows "$scaling_rows" --threads "$n"
  done
}

# --- detection ------------------------------------------------------------------------------------

# build_races: each program of races/, into the folder of --out
build_races() {
  local source driver
  for source in "$here"/races/*.c "$here"/races/*.cpp; do
    driver=cc
    case "$source" in *.cpp) driver=c++ ;; esac
    STEWARD_CC=clang-19 STEWARD_CXX=clang++-19 "$STEWARD" $driver -O2 -g -Wall -Wextra -pthread \
      -I"$root/tests/programs/support" "$source" -o "$out/races/$(basename "${source%.*}")"
  done
}

# races_of PROGRAM: name, once|often and sites of each, from its header
races_of() { sed -n 's|^// RACE: ||p' "$here/races/$1".c*; }

# Races are named by the function of their later access, in the summary line of a report.
found_in() { sed -nE 's/^SUMMARY: .* in (\(anonymous namespace\)::)?([a-z_]+).*/\2/p' "$1" | sort -u; }

# try PROGRAM RATE|literace: adds one line for each race found, to found.tsv
try() {
  local log=$out/races/$1.log code=0 how=(--sample "$2%")
  [ "$2" != literace ] || how=(--tool literace)
  "$STEWARD" run "${how[@]}" --no-color --log "$log" "$out/races/$1" >/dev/null 2>&1 || code=$?
  if [ "$code" != 0 ] && [ "$code" != 66 ]; then
    echo "run.sh: $1 at $2: exit code $code, see $log" >&2
    exit 1
  fi
  found_in "$log" | sed "s/^/$1\t$2\t/" >>"$out/found.tsv"
}

run_detection() {
  local source program rate trial name kind sites
  build_races
  : >"$out/found.tsv"
  printf '#trials\t%s\n' "$trials" >"$out/detection.tsv"
  for source in "$here"/races/*.c "$here"/races/*.cpp; do
    program=$(basename "${source%.*}")
    for rate in $detection_rates; do
      progress "detection: $program at $rate, $trials times"
      for ((trial = 0; trial < trials; ++trial)); do try "$program" "$rate"; done
      while read -r name kind sites; do
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$program" "$name" "$kind" "$sites" "$rate" \
          "$(grep -c "^$program	$rate	$name\$" "$out/found.tsv" || true)" "$trials"
      done < <(races_of "$program") >>"$out/detection.tsv"
    done
    # A report on anything else would be a race that was not put there.
    cut -f 1,3 "$out/found.tsv" | sort -u | while IFS=$'\t' read -r p name; do
      [ "$p" != "$program" ] || races_of "$program" | grep -q "^$name " || {
        echo "run.sh: $program: a report in $name, which is not one of its races" >&2
        exit 1
      }
    done
  done
}

# --- Table 3's counters ---------------------------------------------------------------------------

# run_counters: `--stats` of the rows that synchronise, at 3% as in the paper
run_counters() {
  local row program
  : >"$out/counters.tsv"
  for row in hash_map queue rwlock stencil atomics; do
    program=$out/live/$row/steward-clang/kernel
    [ -x "$program" ] || measure counters-build 'steward-clang' --scale 1 --rows "$row" --runs 1
    progress "counters: $row"
    "$STEWARD" run --sample 3% --stats --no-color --log "$out/counters.log" "$program" "$scale" 2 \
      >/dev/null
    # The table's columns: sampling slow, fast; not sampling slow, fast; the share that is fast.
    awk -v row="$row" -v OFS='\t' '
      /^steward: sampling:/ { sampled = $6 }
      /VC joins and copies/ { print row, sampled, "all", "", "", "", "", $NF; next }
      / (VC joins|VC copies) / { print row, sampled, $2, $3, $4, $5, $6, $7 }
    ' "$out/counters.log" >>"$out/counters.tsv"
  done
}

# --- tables and plots: NAME_table and, if it has any, NAME_plots of each part's results --------------

statistics() { awk -F'\t' -f "$here/statistics.awk" "$@"; }

cost_table() { [ ! -f "$out/cost.tsv" ] || statistics -f "$here/cost.awk" "$out/cost.tsv"; }
cost_plots() {
  local what
  for what in cpu peak; do
    statistics -v what=$what -f "$here/cost.awk" "$out/cost.tsv" |
      awk -F'\t' -v what=$what -v against=rate -f "$here/plot.awk" >"$out/rate-$what.svg"
  done
}

scaling_results() { find "$out" -maxdepth 1 -name 'threads-*.tsv' | sort -V; }
scaling_table() {
  local files
  mapfile -t files < <(scaling_results)
  [ ${#files[@]} = 0 ] || statistics -f "$here/scaling.awk" "${files[@]}"
}
scaling_plots() {
  local what files
  mapfile -t files < <(scaling_results)
  for what in cpu peak; do
    statistics -v what=$what -f "$here/scaling.awk" "${files[@]}" |
      awk -F'\t' -v what=$what -v against=threads -f "$here/plot.awk" >"$out/threads-$what.svg"
  done
}

detection_table() {
  [ ! -f "$out/detection.tsv" ] || awk -F'\t' -f "$here/detection.awk" "$out/detection.tsv"
}
detection_plots() { true; }

counters_table() {
  [ ! -f "$out/counters.tsv" ] || awk -F'\t' -f "$here/counters.awk" "$out/counters.tsv"
}
counters_plots() { true; }

declare -A plots=([cost]='rate-cpu.svg rate-peak.svg' [scaling]='threads-cpu.svg threads-peak.svg')

# --- all of it ------------------------------------------------------------------------------------

if [ "$again" = 0 ]; then
  [ -x "$STEWARD" ] || { echo "run.sh: no $STEWARD; build it first" >&2 && exit 2; }
  STEWARD=$("$root/bench/snapshot.sh" "$STEWARD" "$out/steward")
fi
for part in $parts; do
  if [ "$again" = 0 ]; then
    "run_$part"
    progress ''
  fi
  "${part}_table" >"$out/$part.md"
  if [ ! -s "$out/$part.md" ]; then
    echo "run.sh: no results of $part in $out" >&2
    continue
  fi
  cat "$out/$part.md"
  "${part}_plots"
  [ "$doc" = 1 ] || continue
  "$root/bench/into-doc.sh" "$root/docs/performance-sampling.md" "sampling-$part" <"$out/$part.md"
  for plot in ${plots[$part]:-}; do cp "$out/$plot" "$root/docs/"; done
done
echo
echo "All numbers and plots: ${out#"$root"/}"
