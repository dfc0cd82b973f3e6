#!/usr/bin/env bash
# The paper's Figure 9 with programs of our own (rows.txt, programs/): how often each configuration
# makes a program go wrong.
#   bench/classify/run.sh [--quick] [--into-doc] STEWARD
# RUNS: runs of each of the six configurations (100; --quick: 10). Fails if a destructive race is
# found by no heuristic in a quarter of its runs, if a benign one ever does harm, or if a program goes
# wrong with nothing jumbled. --into-doc: the table into docs/classify.md.
set -euo pipefail

runs=${RUNS:-100}
into_doc=0
steward=
for arg in "$@"; do
  case "$arg" in
    --quick) runs=${RUNS:-10} ;;
    --into-doc) into_doc=1 ;;
    -*)
      echo "run.sh: unknown option '$arg'" >&2
      exit 2
      ;;
    *) steward=$(realpath "$arg") ;;
  esac
done
[ -x "$steward" ] || { echo "usage: bench/classify/run.sh [--quick] [--into-doc] STEWARD" >&2; exit 2; }
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

heuristics=(sequentially-consistent oldest oldest-but-different random random-but-different)
failed=0
table() {
  echo "| situation | variable | no jumble | sequentially consistent | oldest | oldest but different | random | random but different | race is |"
  echo "|---|---|---|---|---|---|---|---|---|"
}

# The program without any of this, `runs` times: how often it goes wrong.
plain() { # PROGRAM
  local i wrong=0 first
  clang++-19 -O1 -std=c++20 -pthread "programs/$1.cpp" -o "$work/plain-$1"
  first=$(timeout 10 "$work/plain-$1" || echo "wrong end")
  for ((i = 1; i < runs; ++i)); do
    [ "$(timeout 10 "$work/plain-$1" || echo "wrong end")" = "$first" ] || wrong=$((wrong + 1))
  done
  case "$first" in *wrong* | *failed* | *both* | *different*) wrong=$runs ;; esac
  echo $((wrong * 100 / runs))
}

exec 3>"$work/table"
table >&3
trim() { sed 's/^ *//; s/ *$//'; }
while IFS='|' read -r program variable options expected situation; do
  program=$(trim <<<"$program") variable=$(trim <<<"$variable") options=$(trim <<<"$options")
  expected=$(trim <<<"$expected") situation=$(trim <<<"$situation")
  case "$program" in '' | '#'*) continue ;; esac
  [ -x "$work/$program" ] ||
    "$steward" c++ --jumble -O1 -std=c++20 "programs/$program.cpp" -o "$work/$program"
  [ -f "$work/plain-rate-$program" ] || plain "$program" >"$work/plain-rate-$program"
  case "$variable" in
    atomics) what=(--atomics) ;;
    site\ *) what=(--site "${variable#site }") ;;
    *) what=(--variable "$variable") ;;
  esac
  # shellcheck disable=SC2086 # options are words
  code=0
  "$steward" classify "${what[@]}" $options --heuristic "$(IFS=,; echo "${heuristics[*]}")" \
    --runs $((runs * ${#heuristics[@]})) --baseline 3 --timeout "${TIMEOUT:-0.7}" --json "$work/json" \
    "$work/$program" >"$work/text" </dev/null || code=$?
  if [ $code != 0 ] && [ $code != 66 ]; then
    echo "FAILED $program: steward classify ends with $code" >&2
    failed=1
    continue
  fi
  rates=() best=0 any=0
  for h in "${heuristics[@]}"; do
    # "name": H, "runs": N, "harmful": M are on the lines that follow each other.
    read -r n m < <(awk -v h="\"$h\"," '$1 == "\"name\":" && $2 == h { getline a; getline b
      sub(/.*: /, "", a); sub(/,.*/, "", a); sub(/.*: /, "", b); sub(/,.*/, "", b); print a, b; exit }' "$work/json")
    rates+=($((m * 100 / n)))
    [ "$h" = sequentially-consistent ] && [ "$m" != 0 ] && any=1
    [ "${rates[-1]}" -gt "$best" ] && best=${rates[-1]}
  done
  none=$(cat "$work/plain-rate-$program")
  problem=
  [ "$none" = 0 ] && [ $any = 0 ] || problem="goes wrong with nothing jumbled"
  [ "$expected" = benign ] && [ "$best" != 0 ] && problem="a benign race was called destructive"
  [ "$expected" = destructive ] && [ "$best" -lt 25 ] && problem="found in $best% of the runs at most"
  if [ -n "$problem" ]; then
    echo "FAILED $program, $variable: $problem" >&2
    failed=1
  fi
  echo "| $situation | \`${variable#site }\` | $none | ${rates[0]} | ${rates[1]} | ${rates[2]} | ${rates[3]} | ${rates[4]} | $expected |" >&3
  echo "$program $variable: $none ${rates[*]} ($expected)" >&2
done <rows.txt
if [ $into_doc = 1 ]; then
  ../into-doc.sh ../../docs/classify.md classify-table <"$work/table"
else
  cat "$work/table"
fi
exit $failed
