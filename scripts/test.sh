#!/usr/bin/env bash
# Everything `make test` runs, after the release build: all tests; then the detectors and readers
# under AddressSanitizer and UndefinedBehaviorSanitizer; then the fuzz targets, a fixed number of
# runs from a fixed seed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

step() { printf '\n== %s\n' "$1"; }

step "release"
ctest --preset release -j "$jobs"

step "address and undefined-behaviour sanitizers"
cmake --preset asan-ubsan >/dev/null
cmake --build --preset asan-ubsan -j "$jobs"
ctest --preset asan-ubsan -j "$jobs" -LE slow

step "fuzz targets, fixed seed"
FUZZ_RUNS=${FUZZ_RUNS:-20000} scripts/fuzz.sh
