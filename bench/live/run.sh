#!/usr/bin/env bash
# Time and memory of programs under Steward, ThreadSanitizer (gcc's, clang's), Helgrind and DRD.
#   bench/live/run.sh [--quick] [options]
#     --runs N          runs of each row and configuration (5); tables show medians and (min-max)
#     --rows 'A B'      only these rows; default: all kernels, and all programs that have a row.sh
#     --configs 'A B'   only these configurations besides the native ones; see configurations.sh
#     --programs DIR    folder of the programs that are rows (bench/programs); see rows.md
#     --threads N       of the kernels (2)
#     --scale P         percent of the usual work (100), for Valgrind too
#     --steward BIN     (build/release/bin/steward)
#     --out DIR         where builds and results go (build/bench)
#     --doc             put the tables into docs/performance-live.md
#     --again           only print the tables of the last results again
# --quick: a tenth of the work and one run, to see that all works. Nothing fails for being slow;
# a wrong checksum, a crash or a report on a race-free program does.
# Results: live.tsv and live.json in the folder of --out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
STEWARD=$root/build/release/bin/steward
runs=5 rows='' wanted='' programs=$root/bench/programs threads=2 scale=100 valgrind_scale=25
out=$root/build/bench doc=0 again=0
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) runs=1 scale=10 valgrind_scale=10 && shift ;;
    --runs) runs=$2 && shift 2 ;;
    --rows) rows=$2 && shift 2 ;;
    --configs) wanted=$2 && shift 2 ;;
    --programs) programs=$(realpath "$2") && shift 2 ;;
    --threads) threads=$2 && shift 2 ;;
    --scale) scale=$2 valgrind_scale=$2 && shift 2 ;;
    --steward) STEWARD=$(realpath "$2") && shift 2 ;;
    --out) out=$(realpath -m "$2") && shift 2 ;;
    --doc) doc=1 && shift ;;
    --again) again=1 && shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    *) echo "run.sh: no such option: $1 (see --help)" >&2 && exit 2 ;;
  esac
done
# shellcheck source-path=SCRIPTDIR source=configurations.sh
. "$here/configurations.sh"
# shellcheck source-path=SCRIPTDIR source=names.sh
. "$here/names.sh"
# shellcheck disable=SC2086  # both are words
must_be_rows $rows
# shellcheck disable=SC2086
must_be_configurations $wanted
work=$out/live
results=$out/live.tsv
mkdir -p "$work"
exec 9>"$work/lock"
if ! flock -n 9; then
  echo "run.sh: another run is at work in $work; give this one its own --out" >&2
  exit 1
fi

# --- rows: kernels, and folders with a row.sh -----------------------------------------------------

# load_row NAME: defines the functions and variables of rows.md
load_row() {
  local kernel
  row_racy=0 row_skips='' row_sources=()
  row_output() { cat "$1"; }
  row_is_right() { true; }
  kernel=$(compgen -G "$here/kernels/$1.c*" || true)
  if [ -n "$kernel" ]; then
    row_sources=("$kernel" "$here/kernels/kernel.h")
    # shellcheck disable=SC2086  # compilers and flags are words
    row_build() {
      case "${row_sources[0]}" in
        *.c) $CC $CFLAGS -std=gnu11 -Wall -Wextra -pthread "${row_sources[0]}" -o "$1/kernel" ;;
        *) $CXX $CXXFLAGS -std=gnu++17 -Wall -Wextra -pthread "${row_sources[0]}" -o "$1/kernel" ;;
      esac
    }
    row_command() { command=("$1/kernel" "$2" "$threads"); }
  elif [ -f "$programs/$1/row.sh" ]; then
    ROW=$programs/$1
    row_sources=("$ROW/row.sh")
    # shellcheck source=/dev/null
    . "$ROW/row.sh"
    row_sources+=("$ROW/row.sh")
  else
    echo "run.sh: no such row: $1" >&2
    exit 2
  fi
}

is_fresh() { # is_fresh STAMP: nothing the row is made from is newer?
  local source
  [ -f "$1" ] || return 1
  for source in "${row_sources[@]}"; do [ "$source" -nt "$1" ] && return 1; done
  return 0
}

build() { # build NAME CONFIGURATION; not zero if the row cannot be built so
  local folder=$work/$1/$2
  (
    load_row "$1"
    case "$2" in # what it is compiled with; the library it runs with is today's anyway
      steward-*) row_sources+=("$STEWARD" "$(dirname "$STEWARD")"/../lib/steward/pass/*.so) ;;
    esac
    is_fresh "$folder.built" && exit 0
    rm -rf "$folder" "$folder.built"
    mkdir -p "$folder"
    set_compilers "$2"
    row_build "$folder" >"$folder.log" 2>&1 || exit 1
    touch "$folder.built"
  )
}

# --- one measurement ------------------------------------------------------------------------------

# measure NAME CONFIGURATION SCALE RUN: one line into the results
measure() {
  local name=$1 configuration=$2 scale=$3 run=$4
  (
    local folder log figures status command=()
    folder=$work/$name/$(build_of "$configuration")
    log=$work/$name/$configuration
    load_row "$name"
    case " $row_skips " in *" $configuration "*) exit 0 ;; esac
    row_command "$folder" "$scale"
    case "$configuration" in
      tsan-* | steward-* | pacer-*)
        if ! grep -q __tsan_func_entry "${command[0]}"; then
          echo "run.sh: not instrumented: ${command[0]}" >&2
          exit 1
        fi
        ;;
    esac
    # shellcheck disable=SC2086  # a prefix is words
    figures=$("$work/measure" -t "${LIVE_TIMEOUT:-600}" -o "$log.out" -e "$log.err" \
      ${prefix[$configuration]:-} "${command[@]}")
    status=${figures##*$'\t'}
    row_output "$log.out" | cksum >"$log.sum"
    if [ "$status" = 0 ] || { [ "$status" = 66 ] && [ "$row_racy" = 1 ]; }; then
      if [ "$configuration" = native-gcc ]; then
        rm -f "$work/$name/expected-$scale"
        row_is_right "$folder" "$scale" "$log.out" && cp "$log.sum" "$work/$name/expected-$scale"
      fi
      status=ok
      cmp -s "$log.sum" "$work/$name/expected-$scale" || status='wrong output'
    elif [ "$status" = 66 ]; then
      status='reports a race'
    elif [ "$status" != timeout ]; then
      status="exit code $status"
    fi
    printf '%s\t%s\t%d\t%d\t%s\t%s\n' "$name" "$configuration" "$scale" "$run" \
      "${figures%$'\t'*}" "$status" >>"$results"
  )
}

# --- all of them ----------------------------------------------------------------------------------

progress() { if [ -t 2 ]; then printf '\r\033[K%s' "$*" >&2; else printf '%s\n' "$*" >&2; fi; }

runtime_version() {
  git -C "$root" rev-parse --short HEAD
  git -C "$root" diff --quiet HEAD -- src || echo 'with changes'
}

tables() { awk -F'\t' -f "$here/tables.awk" "$results"; }

if [ "$again" = 0 ]; then
  [ -x "$STEWARD" ] || { echo "run.sh: no $STEWARD; build it first" >&2 && exit 2; }
  if [ ! "$work/measure" -nt "$here/measure.cpp" ]; then
    g++ -std=c++20 -O1 -static -Wall -Wextra "$here/measure.cpp" -o "$work/measure"
  fi
  if [ -n "$wanted" ]; then
    read -r -a configurations <<<"native-gcc native-clang $wanted"
  fi
  mapfile -t row_names < <(all_rows)
  [ -z "$rows" ] || read -r -a row_names <<<"$rows"
  STEWARD=$("$root/bench/snapshot.sh" "$STEWARD" "$work/steward")
  find_prefixes "$work"
  machine=$(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)
  {
    printf '#date\t%s\n' "$(date -u +%FT%TZ)"
    printf '#machine\t%s, %s cores, Linux %s\n' "$machine" "$(nproc)" "$(uname -r)"
    printf '#tools\t%s; %s; %s; Steward %s\n' "$(gcc --version | head -n 1)" \
      "$(clang-19 --version | head -n 1)" "$(valgrind --version)" \
      "$(runtime_version | paste -sd " ")"
    printf '#load\t%s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
    printf '#runs\t%s\n' "$runs"
    printf '#threads\t%s\n' "$threads"
    printf '#valgrind_scale\t%s\n' "$valgrind_scale"
  } >"$results"
  declare -A built=()
  for name in "${row_names[@]}"; do
    for configuration in "${configurations[@]}"; do
      [ "$(build_of "$configuration")" = "$configuration" ] || continue
      progress "building $name for $configuration"
      if build "$name" "$configuration"; then
        built[$name-$configuration]=1
      else
        progress ""
        echo "$name does not build for $configuration: $work/$name/$configuration.log" >&2
      fi
    done
  done
  # Rows outside, configurations inside: what is compared runs within a minute of each other.
  for ((run = 1; run <= runs; ++run)); do
    for name in "${row_names[@]}"; do
      for configuration in "${configurations[@]}"; do
        [ -n "${built[$name-$(build_of "$configuration")]:-}" ] || continue
        progress "run $run of $runs: $name, $configuration"
        if is_valgrind "$configuration"; then
          measure "$name" "$configuration" "$valgrind_scale" "$run"
        else
          measure "$name" "$configuration" "$scale" "$run"
        fi
        # Valgrind's own yardstick: the same, smaller work.
        if [ "$configuration" = native-gcc ] && [ "$valgrind_scale" != "$scale" ]; then
          measure "$name" native-gcc "$valgrind_scale" "$run"
        fi
      done
    done
  done
  progress ""
fi

awk -F'\t' -f "$here/json.awk" "$results" >"$out/live.json"
tables
if [ "$doc" = 1 ]; then tables | "$root/bench/into-doc.sh" "$root/docs/performance-live.md" live; fi
echo
echo "All numbers: ${results#"$root"/}, ${out#"$root"/}/live.json"
bad=$(awk -F'\t' '!/^#/ && $8 != "ok" && $8 != "timeout" && $2 ~ /^(native|steward|pacer)/' "$results")
[ -z "$bad" ] || { printf 'Failed:\n%s\n' "$bad" && exit 1; }
