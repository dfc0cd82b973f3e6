#!/usr/bin/env bash
# Shows the main job in a few seconds: races told from what only looks like one, and detectors
# compared on one trace.
#   examples/demo.sh STEWARD
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: demo.sh STEWARD   (the steward binary; make demo builds it first)" >&2
  exit 2
fi
steward=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n== %s\n' "$1"; }

# Runs steward, shown as a person would type it. Exit code 66 means that races were found, and in
# this demo any other outcome is a failure.
find_races() {
  local code=0
  printf '$ steward %s\n' "${*//$work\//}"
  "$steward" "$@" || code=$?
  if [ $code -ne 66 ]; then
    echo "demo.sh: expected races and exit code 66, got exit code $code" >&2
    exit 1
  fi
}

say "An account that two clerks serve (examples/account.std). Two fields race; 'visits' does not:"
grep -A 10 '^# NO RACE' account.std
echo
find_races analyze account.std

say "A trace of a shop, made by examples/make_shop.sh, from text to binary"
./make_shop.sh >"$work/shop.std"
echo '$ steward convert shop.std shop.trace'
"$steward" convert "$work/shop.std" "$work/shop.trace"

say "Four detectors over one pass of it: two that look at everything, two that sample"
find_races analyze "$work/shop.trace" --detector generic,fasttrack,pacer:25%,literace --max-races 4

say "Done: 2 races and a pair that is no race; every detector on the same trace."
