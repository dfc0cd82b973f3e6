#!/usr/bin/env bash
# Shows the main job in a few seconds: a race in a live program, races told from what only looks
# like one in a trace, and detectors compared.
#   examples/demo.sh STEWARD [FOLDER]      FOLDER keeps the HTML report
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -x "$1" ]; then
  echo "usage: demo.sh STEWARD [FOLDER]   (the steward binary; make demo builds it first)" >&2
  exit 2
fi
steward=$(realpath "$1")
work=$(mktemp -d)
keep=$work
if [ $# -eq 2 ]; then
  mkdir -p "$2"
  keep=$(realpath "$2")
fi
cd "$(dirname "$0")"
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

# Runs the cache's test and keeps its report. The test may notice by itself that counts are lost and
# exit with 1; else the races decide: 66, or 0 when none was found.
run_cache() {
  local code=0
  echo "\$ steward run $* ./cache_test"
  (cd "$work" && "$steward" run "$@" ./cache_test >/dev/null 2>cache.err) || code=$?
  case $code in
    0 | 1 | 66) ;;
    *) cat "$work/cache.err" >&2; echo "demo.sh: exit code $code" >&2; exit 1 ;;
  esac
}

say "A program with a race (examples/bank.cpp), compiled and run"
if [ -e "$(dirname "$steward")/../lib/steward/fasttrack/libtsan.so.2" ]; then
  echo '$ steward c++ -O2 -g bank.cpp -o bank'
  "$steward" c++ -O2 -g bank.cpp -o "$work/bank"
  find_races run "$work/bank"

  say "A cache that counts under a shared lock (examples/cache): three runs, one report"
  echo '$ steward c++ -std=c++20 -O2 -g cache/cache_test.cpp -o cache_test'
  "$steward" c++ -std=c++20 -O2 -g cache/cache_test.cpp -o "$work/cache_test"
  for i in 1 2 3; do run_cache --json run$i.json; done
  find_races report "$work"/run[123].json | sed -n '1p;$p'

  say "The same, checking one tenth of its work (PACER): cheaper, and each race by that chance"
  for i in 4 5 6; do run_cache --sample 10% --json run$i.json; done
  # Runs that found nothing count too; whether these did is chance.
  echo '$ steward report run4.json run5.json run6.json'
  "$steward" report --fail-on nothing "$work"/run[456].json | tail -n 4

  if command -v clang++-19 >/dev/null &&
    [ -e "$(dirname "$steward")/../lib/steward/pass/steward-pass-19.so" ]; then
    say "Which races do harm? Reads get legal stale values until a run goes wrong (double_checked.cpp)"
    echo '$ steward c++ --jumble -O1 -g double_checked.cpp -o double_checked'
    STEWARD_CXX=clang++-19 "$steward" c++ --jumble -O1 -g ../bench/classify/programs/double_checked.cpp \
      -pthread -o "$work/double_checked"
    find_races run --json "$work/run7.json" "$work/double_checked" 2>/dev/null
    find_races classify --runs 20 --reports "$work/run7.json" --annotate "$work/run7.json" \
      "$work/double_checked"
  fi

  say "All of it as one page"
  find_races report "$work"/run?.json --format html -o "$keep/races.html"
else
  echo "(left out: the runtime library is not beside $steward)"
fi

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

if [ -e "$keep/races.html" ] && [ "$keep" != "$work" ]; then
  say "The HTML report is $keep/races.html: open it in a browser"
fi
say "Done: a race in a program, 2 races in a trace and a pair that is no race, detectors compared."
