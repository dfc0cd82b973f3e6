#!/usr/bin/env bash
# Sampling switched on and off while a program runs: atomics and locks of which one side is seen and
# the other is not. What is ordered is never reported, what races after the switch is.
#   sampling_switches.sh STEWARD SOURCE_DIR
set -uo pipefail

steward=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  echo "FAIL $*"
  failed=1
}

export STEWARD_CC=clang-19
for name in asleep atomics locks left timers publish alone; do
  "$steward" cc -g -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -pthread -I"$source/include" \
    -I"$source/tests/programs/support" "$source/tests/runtime/sampling/$name.c" -o "$work/$name" ||
    exit 1
done
clang-19 -O1 -Wall -Wextra -Werror "$source/tests/runtime/sampling/hold.c" -o "$work/hold" || exit 1

# under OPTIONS COMMAND...: started by itself, quicker than by `steward run`
library=$(realpath "$(dirname "$steward")/../lib/steward/pacer")
under() {
  local options=$1
  shift
  timeout 60 env LD_PRELOAD="$library/libtsan.so.2" LD_LIBRARY_PATH="$library" \
    STEWARD_OPTIONS="$options" "$@" >"$work/out" 2>&1
}

# --- scenarios: see sampling/switching.h ----------------------------------------------------------
for program in asleep atomics locks left timers; do
  for scenario in $("$work/$program"); do
    expected=0 code=0
    case $scenario in race_*) expected=66 ;; esac
    under sample=0%:sample_period=200 "$work/$program" "$scenario" || code=$?
    if [ $code = 124 ]; then
      fail "$program $scenario waits for ever: a switch never takes effect. The others would, too"
      exit 1
    fi
    [ $code = $expected ] || {
      fail "$program $scenario: exit code $code, not $expected"
      head -n 20 "$work/out"
    }
    if [ "$scenario" = race_mutex_taken_on ] && ! grep -q 'neither holds a lock' "$work/out"; then
      fail "$scenario: a lock given while checks were off is still among those held"
    fi
  done
done

# --- records handed over, at rates that stay and at rates that change -----------------------------
for rate in 0 2 50; do
  for how in '' switch; do
    for seed in 1 2 3; do
      under "sample=$rate%:sample_seed=$seed:sample_period=200:symbolize=0" \
        "$work/publish" 20000 ${how:+"$how"} || {
        fail "publish at $rate% with seed $seed $how: exit code $?"
        head -n 20 "$work/out"
      }
    done
  done
done

# --- periods end although the sampler's own thread never runs -------------------------------------
cat >"$work/alone_under" <<EOF
#!/bin/sh
export LD_PRELOAD="$library/libtsan.so.2" LD_LIBRARY_PATH="$library"
STEWARD_OPTIONS=sample=50%:sample_period=500 exec "$work/alone"
EOF
chmod +x "$work/alone_under"
code=0
"$work/hold" "$work/alone_under" || code=$?
case $code in
  0) ;;
  77) echo "threads cannot be stopped here (ptrace): who ends periods is not tested" ;;
  *) fail "alone: exit code $code: the program's threads do not end periods" ;;
esac

exit $failed
