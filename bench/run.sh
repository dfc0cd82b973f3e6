#!/usr/bin/env bash
# Speed and memory of the analyser, as tables.
#   bench/run.sh [--quick] BIN_DIR
# Traces are generated into build/bench/ and used again; results go to build/bench/results.json.
#   BENCH_EVENTS   events of the large traces (100000000)
#   BENCH_RUNS     passes of each measurement (5); tables show the median and (min-max)
# --quick: small traces and one pass, to see that all works. Nothing fails for being slow.
set -euo pipefail

quick=0
bin=
for arg in "$@"; do
  case "$arg" in
    --quick) quick=1 ;;
    -*)
      echo "run.sh: unknown option '$arg'" >&2
      exit 2
      ;;
    *) bin=$(cd "$arg" && pwd) ;;
  esac
done
if [ -z "$bin" ] || [ ! -x "$bin/bench_analyze" ]; then
  echo "usage: bench/run.sh [--quick] BIN_DIR    (the folder of bench_analyze)" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
dir=build/bench
mkdir -p "$dir"

if [ $quick = 1 ]; then
  events=${BENCH_EVENTS:-2000000} growth=500000 generic_prefix=500000 memory_prefix=1000000
  runs=${BENCH_RUNS:-1}
else
  events=${BENCH_EVENTS:-100000000} growth=10000000 generic_prefix=10000000
  memory_prefix=20000000 runs=${BENCH_RUNS:-5}
fi
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# generate NAME OPTION...: sets `trace` to the file, made now or before.
generate() {
  trace=$dir/$1.stw
  shift
  if [ -f "$trace" ]; then
    echo "$trace: there already, $(stat -c %s "$trace" | awk '{printf "%.1f MB", $1 / 1e6}')"
    return
  fi
  "$bin/bench_generate" "$trace.new" "$@" | sed 's/\.new:/:/'
  mv "$trace.new" "$trace"
}

# measure TABLE OPTION...: one line a detector of `trace` into the results.
measure() {
  local table=$1
  shift
  "$bin/bench_analyze" "$trace" --no-header "$@" | sed "s/^/$table\t/" >>"$results"
}

# table TABLE PROGRAM: the results of one table through awk, with names for the fields.
table() {
  awk -F'\t' -v want="$1" '
    function megabytes(x) { return sprintf("%.1f", x / 1e6) }
    function rate(ns) { return 1e3 / ns }
    $1 == want {
      detector = $2; threads = $3; events = $4; variables = $5; runs = $6
      ns = $7; lo = $8; hi = $9; peak = $10; mean = $11; racy = $12; per_event = $13
      '"$2"'
    }' "$results"
}

machine=$(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)
echo "$(date -u +%F), $(nproc) cores ($machine), load $(cut -d' ' -f1 /proc/loadavg)"
echo
for threads in 8 256; do
  generate "threads-$threads-events-$events" --events "$events" --threads "$threads"
  measure speed --detectors 'decode,fasttrack,pacer:1%,pacer:3%,literace' --repeat "$runs"
  if [ $threads = 8 ]; then
    measure speed --detectors generic --repeat "$(((runs + 1) / 2))"
  else  # its state grows with the threads a variable: a prefix must do
    measure speed --detectors generic --repeat "$(((runs + 1) / 2))" --events "$generic_prefix"
  fi
  [ $threads = 8 ] && measure memory --repeat 1 --events "$memory_prefix" \
    --detectors 'fasttrack,pacer:0%,pacer:1%,pacer:3%,pacer:10%,pacer:25%,pacer:100%'
done
for threads in 8 64 256 1024; do
  generate "growth-$threads-events-$growth" --events "$growth" --threads "$threads" \
    --variables 131072
  measure growth --detectors 'decode,generic,fasttrack,pacer:1%' --repeat "$runs"
done

echo
echo "Speed: million events a second from the binary file on one core, reading included;"
echo "the median of the passes (slowest-fastest)."
echo
printf '%-10s %7s %8s %7s %17s %9s %9s %10s %6s\n' detector threads 'events M' 'M ev/s' spread \
  ns/event 'peak MB' 'B/variable' racy
table speed '
  printf "%-10s %7d %8.0f %7.1f %17s %9.1f", detector, threads, events / 1e6, rate(ns),
    sprintf("(%.1f-%.1f)", rate(hi), rate(lo)), ns
  if (detector == "decode") printf "%12.2f bytes/event\n", per_event
  else printf " %9s %10.1f %6d\n", megabytes(peak), peak / variables, racy'
echo "(generic with 256 threads: the first $generic_prefix events only; racy: racy variables found)"
echo
echo "Growth with the number of threads: ns/event (min-max), and relative to 8 threads."
echo
printf '%-10s %7s %9s %19s %9s\n' detector threads ns/event spread relative
for detector in decode generic fasttrack pacer:1%; do
  table growth 'if (detector == "'$detector'") {
    if (threads == 8) first = ns
    printf "%-10s %7d %9.1f %19s %8.2fx\n", detector, threads, ns, sprintf("(%.1f-%.1f)", lo, hi),
      ns / first }'
done
echo
echo "Detector state, 8 threads: peak, mean over the run, and relative to FastTrack."
echo
printf '%-10s %9s %9s %9s %9s\n' detector 'peak MB' relative 'mean MB' relative
table memory '
  if (detector == "fasttrack") { all = peak; all_mean = mean }
  printf "%-10s %9s %8.1f%% %9s %8.1f%%\n", detector, megabytes(peak), 100 * peak / all,
    megabytes(mean), 100 * mean / all_mean'

awk -F'\t' -v date="$(date -u +%FT%TZ)" -v machine="$machine" -v cores="$(nproc)" '
  BEGIN {
    printf "{\"date\": \"%s\", \"machine\": \"%s\", \"cores\": %d, \"results\": [", date,
      machine, cores
  }
  {
    printf "%s\n  {\"table\": \"%s\", \"detector\": \"%s\", \"threads\": %s, \"events\": %s, " \
           "\"variables\": %s, \"runs\": %s, \"ns_per_event\": %s, \"ns_min\": %s, " \
           "\"ns_max\": %s, \"peak_bytes\": %s, \"mean_bytes\": %s, \"racy_variables\": %s, " \
           "\"bytes_per_event\": %s}", (NR > 1 ? "," : ""), $1, $2, $3, $4, $5, $6, $7, $8, $9,
           $10, $11, $12, $13
  }
  END { print "\n]}" }' "$results" >"$dir/results.json"
echo
echo "All numbers: $dir/results.json"
