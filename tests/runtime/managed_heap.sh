#!/usr/bin/env bash
# The managed heap, live: every workload with either collector, under `steward run`. Planted races are
# found, and nothing else.
#   managed_heap.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1") source=$(realpath "$2")
heap=$source/examples/managed-heap
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

"$steward" c++ -std=c++20 -O1 -g -Wall -Wextra -Werror -I"$heap" -I"$heap/live" -I"$source/include" \
  "$heap"/*.cpp "$heap"/workloads/*.cpp -pthread -o "$work/managed-heap" || exit 1

# The line of each access that is reported, as "file:line": the first frame of a workload.
reported() {
  awk '/^  (earlier )?(read|write) of / { wanted = 1 }
    /the same stack as above/ { wanted = 0 }
    wanted && match($0, /workloads\/[a-z]+\.cpp:[0-9]+/) {
      print substr($0, RSTART + 10, RLENGTH - 10)
      wanted = 0
    }' "$work/err" | sort -u
}
planted=$(cd "$heap/workloads" && grep -n '// RACE' ./*.cpp | sed -E 's|^./([a-z.]+:[0-9]+):.*|\1|' | sort)

# expect CODE WORKLOAD
expect() {
  local want=$1 workload=$2 collector code wrong
  for collector in mark-sweep semispace; do
    code=0
    "$steward" run "$work/managed-heap" "$workload" "$collector" 1500 \
      >"$work/out" 2>"$work/err" || code=$?
    if [ "$code" != "$want" ] || ! grep -qE ' [0-9]+ collections' "$work/out"; then
      echo "FAIL $workload, $collector: exit code $code, not $want"
      head -n 12 "$work/err"
      failed=1
    elif [ "$want" = 66 ] && [ -z "$(reported)" ]; then
      echo "FAIL $workload, $collector: a report names no line"
      failed=1
    elif wrong=$(comm -23 <(reported) <(echo "$planted")) && [ -n "$wrong" ]; then
      echo "FAIL $workload, $collector: reported, but not planted: $wrong"
      failed=1
    fi
  done
}
for workload in bank queue trees rows sessions; do expect 0 "$workload"; done
for workload in bank_racy queue_racy cache_racy counter_racy; do expect 66 "$workload"; done

[ "$failed" = 0 ] && echo "18 runs, all as they should be"
exit "$failed"
