#!/usr/bin/env bash
# Sampling on live programs, with seeds that make every answer certain: a race that happens once is
# found in that share of the runs that the rate says, periods are chosen as the seed says, and the
# rate can be changed while the program runs.
#   sampling.sh STEWARD SOURCE_DIR
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
for name in once idle told; do
  "$steward" cc -g -O2 -pthread -I"$source/tests/programs/support" \
    "$source/tests/runtime/sampling/$name.c" -o "$work/$name" || exit 1
done

# --- proportion -----------------------------------------------------------------------------------
# One period longer than the program: what it samples is decided by the seed's first number alone,
# so the same seed at a higher rate finds no less. The program is started by itself: quicker.
library=$(dirname "$steward")/../lib/steward/pacer
once() { # once RATE SEED: is its race found?
  LD_PRELOAD=$library/libtsan.so.2 LD_LIBRARY_PATH=$library \
    STEWARD_OPTIONS="sample=$1%:sample_seed=$2:sample_period=10000000:symbolize=0" \
    "$work/once" >"$work/out" 2>&1
  case $? in
    66) return 0 ;;
    0) return 1 ;;
    *) fail "once at $1% with seed $2 ends with another code than 0 and 66" && return 1 ;;
  esac
}

# Bounds that a fair choice leaves once in a million: of 60 at 25% and 50%.
declare -A least=([0]=0 [25]=1 [50]=12 [100]=60) most=([0]=0 [25]=33 [50]=48 [100]=60)
declare -A found=([0]=0 [25]=0 [50]=0 [100]=0)
for seed in {1..60}; do
  before=1
  for rate in 100 50 25 0; do
    if once "$rate" "$seed"; then
      found[$rate]=$((found[$rate] + 1))
      [ $before = 1 ] || fail "seed $seed finds the race at $rate% but not at a higher rate"
      before=1
    else
      before=0
    fi
  done
done
for rate in 0 25 50 100; do
  if [ "${found[$rate]}" -lt "${least[$rate]}" ] || [ "${found[$rate]}" -gt "${most[$rate]}" ]; then
    fail "at $rate% the race is found ${found[$rate]} times in 60, not ${least[$rate]} to ${most[$rate]}"
  fi
done

# --- the seed chooses the periods -----------------------------------------------------------------
# A program that does no work in the sense of the rate: each period is sampled by the seed's next
# number alone (splitmix64), so how many of the first N were is known beforehand.
expected() { # expected SEED PERIODS: at 50%, those whose number has its highest bit clear
  local state=$1 n=$2 z count=0 i
  for ((i = 0; i < n; ++i)); do
    state=$((state + 0x9e3779b97f4a7c15))
    z=$state
    z=$(((z ^ ((z >> 30) & ((1 << 34) - 1))) * 0xbf58476d1ce4e5b9))
    z=$(((z ^ ((z >> 27) & ((1 << 37) - 1))) * 0x94d049bb133111eb))
    z=$((z ^ ((z >> 31) & ((1 << 33) - 1))))
    [ $z -ge 0 ] && count=$((count + 1))
  done
  echo $count
}
number() { sed -nE "s/^ *\"$1\": ([0-9]+),?\$/\1/p" "$work/report"; }
# Creating the thread is work. These seeds sample the first four periods; should it have come later,
# on a busy machine, it has had a say in what followed, and the run tells nothing; nor does one of
# few periods.
for seed in 20 33; do
  for try in {1..20}; do
    STEWARD_OPTIONS=sample_period=1000 "$steward" run --sample 50% --seed $seed \
      --json "$work/report" "$work/idle" || fail "idle: exit code $?"
    [ "$(number work)" = "$(number sampled_work)" ] && [ "$(number periods)" -ge 5 ] && break
  done
  periods=$(number periods) sampled=$(number sampled_periods)
  if [ "${periods:-0}" -lt 5 ] || [ "$sampled" != "$(expected $seed "$periods")" ]; then
    fail "seed $seed: ${sampled:-none} of ${periods:-none} periods sampled (try $try)," \
      "not $(expected $seed "${periods:-0}")"
  fi
done

# --- another rate while it runs -------------------------------------------------------------------
# told FROM TO CODE: the program starts at one rate, is told another, and only then has its race.
told() {
  local from=$1 to=$2 code=0 pid
  rm -f "$work/ready" "$work/go"
  "$steward" run --sample "$from" --seed 1 "$work/told" "$work/ready" "$work/go" \
    >"$work/out" 2>"$work/err" &
  while [ ! -s "$work/ready" ]; do sleep 0.01; done
  pid=$(<"$work/ready")
  # The second answer comes when the first has taken effect.
  for _ in 1 2; do
    "$steward" sample "$pid" "$to" >"$work/said" || fail "steward sample $to: exit code $?"
  done
  : >"$work/go"
  wait $! || code=$?
  [ "$code" = "$3" ] || { fail "from $from to $to: exit code $code, not $3" && head -n 5 "$work/err"; }
}
told 0% 100% 66
told 100% 0% 0

exit $failed
