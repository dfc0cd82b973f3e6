#!/usr/bin/env bash
# Every race of simultaneous.cpp is reported, run after run.
#   simultaneous.sh STEWARD [RUNS]
set -euo pipefail

steward=$(realpath "$1") runs=${2:-5}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler in g++ clang++-19; do
  STEWARD_CXX=$compiler "$steward" c++ -O1 -g "$here/simultaneous.cpp" -o "$work/program"
  for _ in $(seq "$runs"); do
    expected=$("$steward" run --exitcode 0 --log "$work/log" --json "$work/report.json" \
      -- "$work/program" 2>"$work/err")
    # Some are reported from both sides: the variables count.
    found=$(grep -o '"function": *"[^"]*run_round<[0-9]*>' "$work/report.json" | sort -u | wc -l)
    if [ "$found" != "$expected" ]; then
      echo "$compiler: $found of $expected variables were reported" >&2
      exit 1
    fi
  done
done
