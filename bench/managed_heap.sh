#!/usr/bin/env bash
# The managed heap's workloads, recorded, as tables: LARD's Table 3 (`steward audit`) and the lockset
# paper's Figures 4 to 7. Writes the tables into the documents that hold their markers.
#   bench/managed_heap.sh BIN_DIR [ROUNDS]
set -euo pipefail

bin=$(cd "$1" && pwd) rounds=${2:-2000}
cd "$(dirname "$0")/.."
dir=build/bench/managed-heap
mkdir -p "$dir"

workloads=(bank bank_racy queue queue_racy trees rows sessions cache_racy counter_racy)
for w in "${workloads[@]}"; do
  for c in mark-sweep semispace; do
    "$bin/managed-heap-record" "$w" "$c" "$dir/$w-$c.trace" "$rounds"
  done
done
for w in trees counter_racy; do
  "$bin/managed-heap-record" "$w" semispace "$dir/$w-green.trace" "$rounds" 1 2
done

{
  echo '```'
  (cd "$dir" && "$bin/steward" audit --table ./*.trace | sed 's,^\./\(.*\)\.trace,\1        ,')
  echo '```'
} | bench/into-doc.sh docs/lard.md audit

# Figures 4 to 7. Time: the best of nine passes over the trace, spent in the detector alone, in units of
# FastTrack's; GENERIC comes first in the list only to bring the events into the cache. Checked: accesses that needed a lockset, of all. Bytes: the detector's state at its
# most, an object.
detectors=generic,lockset,lockset:barrier=write,lockset:block=64,lockset:barrier=write:block=64,fasttrack
{
  echo '| program | time: read | write | read, blocks | write, blocks | checked: read | write | read, blocks | write, blocks | bytes an object: read | write | read, blocks | write, blocks |'
  echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|'
  for w in "${workloads[@]}"; do
    for c in mark-sweep semispace; do
      for _ in 1 2 3 4 5 6 7 8 9; do
        "$bin/steward" analyze "$dir/$w-$c.trace" -d "$detectors" --json || [ $? = 66 ]
      done | jq -rs --arg name "$w, $c" '
        def round(d): . * d | floor | . / d;
        . as $runs | [range(1; 6)] | map(. as $i | {
          seconds: ($runs | map(.detectors[$i].seconds) | min),
          checked: ($runs[0].detectors[$i] | 100 * .sampled_accesses / .accesses),
          bytes: ($runs[0].detectors[$i] | .peak_memory_bytes
            / ([.counters[] | select(.name == "objects") | .count] + [1])[0])
        }) as $d | ["", $name]
          + ($d[:4] | map(.seconds / $d[4].seconds | round(100) | tostring))
          + ($d[:4] | map((.checked | round(10) | tostring) + "%"))
          + ($d[:4] | map(.bytes | round(10) | tostring)) + [""]
        | join(" | ") | ltrimstr(" ") | rtrimstr(" ")'
    done
  done
} | bench/into-doc.sh docs/detectors/lockset.md figures
