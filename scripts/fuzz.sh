#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each: for SECONDS if given, else for FUZZ_RUNS
# runs from a fixed seed. New inputs go to build/fuzz/found/, never into the corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-0}
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "${JOBS:-$(nproc)}" --target fuzz_text fuzz_binary
for target in text binary; do
  found=build/fuzz/found/$target
  mkdir -p "$found"
  args=(-seed=1 -max_len=4096 -rss_limit_mb=2048 -timeout=20 -verbosity=0 -print_final_stats=1
    -artifact_prefix="$found/")
  if [ "$seconds" -gt 0 ]; then args+=(-max_total_time="$seconds"); else args+=(-runs="${FUZZ_RUNS:-20000}"); fi
  log=build/fuzz/$target.log
  if ! "build/fuzz/bin/fuzz_$target" "${args[@]}" "$found" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "fuzz_$target failed; the input is in $found" >&2
    exit 1
  fi
  echo "fuzz_$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs, no finding"
done
