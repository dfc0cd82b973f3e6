#!/usr/bin/env bash
# Slots and clocks that run out and are used again: a hundred thousand threads, a hundred million
# releases. Seconds each.
#   endurance.sh STEWARD
set -euo pipefail

steward=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# endure NAME RACES: the program finds that many, and no slot was reused against the rules
endure() {
  local name=$1 races=$2 found
  "$steward" cc -O1 -g -pthread "$here/$name.c" -o "$work/$name"
  local begin=$SECONDS
  "$steward" run --exitcode 0 --stats "$work/$name" 2>"$work/err" || { cat "$work/err" && exit 1; }
  found=$(grep -c '^SUMMARY: Steward: data race' "$work/err" || true)
  printf '%s: %d s, %d races; ' "$name" $((SECONDS - begin)) "$found"
  sed -n 's/^ *\(slots[a-z_]*\|threads[a-z_]*\)  */\1 /p' "$work/err" | paste -sd ' '
  if [ "$found" != "$races" ] || grep -q 'slots_forced  *[1-9]\|threads_unchecked  *[1-9]' "$work/err"; then
    echo "FAIL $name: $races races and nothing forced or unchecked expected" >&2
    exit 1
  fi
}
endure churn 1
endure releases 2
