#!/usr/bin/env bash
# Compiles and runs the programs of this folder under a race detector and holds what it says against
# what each program expects. One line a failure, then "N passed, M failed". See README.md.
#   run.sh --tool steward --steward BIN [options] [file...]
#   run.sh --tool record --steward BIN [options] [file...]     recorded, then judged by analysis
#   run.sh --tool tsan|helgrind|drd|none [options] [file...]
#     --compiler gcc|clang-14|-19|-22    (gcc)      --opt O0|O2   (O0)
#     --times N    runs of each program  (1)        --jobs J      (1)
#     --json OUT   every result as JSON             --list        name the programs, run nothing
#     --symbolizer PROGRAM|libdw   who names functions and lines in steward's reports
#     --also 'OPTIONS'   each program once more, with these options of `steward run`; repeatable
#     --quiet-also 'OPTIONS'   likewise, only those that expect no race: whatever a detector that
#                  samples happens to look at, it reports nothing there
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

# --- what depends on the detector ---------------------------------------------------------------

# compile LANGUAGE(c|c++) FLAGS...: one call of the compiler, instrumented as the tool asks
compile() {
  local language=$1 driver
  shift
  case "$COMPILER-$language" in
    gcc-c) driver=gcc ;;
    gcc-c++) driver=g++ ;;
    clang*-c) driver=$COMPILER ;;
    clang*-c++) driver=${COMPILER/clang/clang++} ;;
  esac
  case "$TOOL" in
    steward)
      [ "$language" = c ] && language=cc
      STEWARD_CC=$driver STEWARD_CXX=$driver "$STEWARD" "$language" "$@"
      ;;
    record)
      [ "$language" = c ] && language=cc
      [[ $driver == clang*-19 ]] && set -- --record "$@"
      STEWARD_CC=$driver STEWARD_CXX=$driver "$STEWARD" "$language" "$@"
      ;;
    tsan) "$driver" -fsanitize=thread "$@" ;;
    *) "$driver" "$@" ;;
  esac
}

# execute PROGRAM LOG: runs it, its standard output to LOG.out, the detector's report to LOG.report
execute() {
  local program=$1 log=$2
  rm -f "$log.report" "$log.report".*
  case "$TOOL" in
    steward) STEWARD_OPTIONS="${STEWARD_OPTIONS:-}${SYMBOLIZER:+:external_symbolizer_path=$SYMBOLIZER}" \
      timeout -k 5 30 "$STEWARD" run "${options[@]}" --json "$log.report" -- "$program" ;;
    record) timeout -k 5 30 "$STEWARD" record -o "$log.trace" "${options[@]}" -- "$program" ;;
    tsan) TSAN_OPTIONS="$TSAN_ONLY_RACES log_path=$log.report" timeout -k 5 30 "$program" ;;
    helgrind | drd) timeout -k 5 120 valgrind -q --tool="$TOOL" --error-exitcode=66 \
      --suppressions="$here/support/valgrind.supp" --log-file="$log.report" "$program" ;;
    none) timeout -k 5 30 "$program" ;;
  esac >"$log.out" 2>"$log.err" </dev/null
}

# Races alone decide: the other findings of ThreadSanitizer also exit with 66.
TSAN_ONLY_RACES="exitcode=66 detect_deadlocks=0 report_thread_leaks=0 report_signal_unsafe=0 \
report_mutex_bugs=0 report_destroy_locked=0 external_symbolizer_path=/usr/bin/llvm-symbolizer-19"

# --- one program --------------------------------------------------------------------------------

# header KEY SOURCE: the text of a `// KEY: text` line, empty if there is none
header() { sed -n -E "s|^// $1: ?(.*[^ ]) *\$|\1|p" "$2" | head -n 1; }

fits_compiler() {
  local only=$1 name
  [ -z "$only" ] && return 0
  for name in ${only//|/ }; do
    [[ $COMPILER == "$name" || $COMPILER == "$name"-* ]] && return 0
  done
  return 1
}

build_one() {
  local source=$1 program=$2 flags=(-g "-$OPT" -Wall -Wextra -Werror -pthread) extra library
  # gcc warns that its own runtime does not model fences.
  [ "$COMPILER" = gcc ] && flags+=(-Wno-tsan)
  read -r -a extra <<<"$(header FLAGS "$source")"
  for kind in LIB PLAIN-LIB; do
    library=$(header "$kind" "$source")
    [ -z "$library" ] && continue
    library=$(dirname "$source")/$library
    flags+=("-DLIB_PATH=\"$program.so\"")
    if [ ! "$program.so" -nt "$library" ]; then
      if [ "$kind" = LIB ]; then
        compile "$(language_of "$library")" "${flags[@]}" -fPIC -shared -o "$program.so" "$library"
      else
        TOOL=none compile "$(language_of "$library")" "${flags[@]}" -fPIC -shared \
          -o "$program.so" "$library"
      fi
    fi
  done
  compile "$(language_of "$source")" "${flags[@]}" "$(standard_of "$source")" -o "$program" \
    "$source" "${extra[@]}" -ldl
}

language_of() { case "$1" in *.c) echo c ;; *) echo c++ ;; esac; }
standard_of() { case "$1" in *.c) echo -std=gnu11 ;; *) echo -std=gnu++17 ;; esac; }

is_fresh() { # is_fresh PROGRAM SOURCE: built after everything it is made from?
  local program=$1 source=$2 input
  [ -x "$program" ] || return 1
  for input in "$(dirname "$source")"/*.h "$here"/support/*.h "$here/run.sh" "$source" \
    "$(dirname "$source")/$(header LIB "$source")" \
    "$(dirname "$source")/$(header PLAIN-LIB "$source")" ${STEWARD:+"$STEWARD" "$(dirname "$STEWARD")"/../lib/steward/pass/*.so}; do
    [ -f "$input" ] && [ "$input" -nt "$program" ] && return 1
  done
  return 0
}

# expectations SOURCE: sets $want_race, $want_code and $want_output from the program's header
expectations() {
  want_race=0
  [[ $(header EXPECT "$1") == race* ]] && want_race=1
  want_code=$(header EXIT "$1")
  want_code=${want_code:-0}
  want_output=$(header STDOUT "$1")
  # A program's own failure passes through `steward run`; ThreadSanitizer's 66 takes its place.
  if [ "$want_race" = 1 ]; then
    case "$TOOL-$want_code" in none-* | record-* | steward-[!0]*) ;; *) want_code=66 ;; esac
  fi
}

# verdict SOURCE LOG CODE: prints what is wrong with this run, nothing if it is as expected
verdict() {
  local source=$1 log=$2 code=$3
  if [ "$code" -ne "$want_code" ]; then
    case "$code" in
      124 | 137) echo "hangs;" ;;
      *) echo "exit code $code, not $want_code;" ;;
    esac
    grep -m1 -hE 'not so:|FATAL|SEGV|rror' "$log.err" 2>/dev/null | head -c 160
  fi
  if [ -n "$want_output" ] && [ "$(<"$log.out")" != "$want_output" ]; then
    echo "standard output is not '$want_output';"
  fi
  case "$TOOL" in
    steward) "$CHECKER" "$source" --json "$log.report" || true ;;
    record)
      code=0
      "$STEWARD" analyze "$log.trace" >"$log.report" 2>&1 || code=$?
      if [ "$code" != $((want_race * 66)) ]; then
        echo "analyze: exit code $code;"
        grep -m1 -E 'data race on|infeasible|partial|event' "$log.report"
      fi
      ;;
    tsan)
      cat "$log.report".* >"$log.report" 2>/dev/null || : >"$log.report"
      "$CHECKER" "$source" --tsan-log "$log.report" || true
      ;;
  esac
}

# run_one SOURCE: prints "pass|fail|skip TAB name TAB run TAB text"
run_one() {
  local source=$1 name program log run code text variants
  name=${source#"$here"/}
  program=$OUTPUT/${name%.*}
  log=$program.run
  mkdir -p "$(dirname "$program")"
  if ! fits_compiler "$(header ONLY "$source" | sed 's/ .*//')"; then
    printf 'skip\t%s\t0\tonly for %s\n' "$name" "$(header ONLY "$source")"
    return
  fi
  # What only Steward is told.
  if [[ $name == lard/* && $TOOL != steward && $TOOL != record && $TOOL != none ]]; then
    printf 'skip\t%s\t0\tspeaks to Steward by lard.h\n' "$name"
    return
  fi
  case "$TOOL:$name" in
    record:annotations/benign_race_ok.c | record:annotations/default_suppressions_ok.c | record:lard/own_clocks_ok.c)
      printf 'skip\t%s\t0\tsays what a trace does not hold (docs/record.md)\n' "$name"
      return
      ;;
  esac
  if [ "$OPT" = O2 ] && grep -q '^// SKIP-O2:' "$source"; then
    printf 'skip\t%s\t0\t%s\n' "$name" "$(header SKIP-O2 "$source")"
    return
  fi
  if ! text=$("$CHECKER" "$source"); then
    printf 'fail\t%s\t0\t%s\n' "$name" "$text"
    return
  fi
  if ! is_fresh "$program" "$source"; then
    rm -f "$program" "$program.so"
    if ! build_one "$source" "$program" >"$log.build" 2>&1; then
      printf 'fail\t%s\t0\tdoes not compile: %s\n' "$name" \
        "$(grep -m1 -E 'rror|undefined' "$log.build")"
      return
    fi
  fi
  expectations "$source"
  variants=$VARIANTS
  [ "$want_race" = 1 ] || variants+=$QUIET_VARIANTS
  for ((run = 1; run <= TIMES; ++run)); do
    while read -r -a options; do
      code=0
      execute "$program" "$log" 2>/dev/null || code=$?
      text=$(verdict "$source" "$log" "$code")
      if [ -n "$text" ]; then
        printf 'fail\t%s\t%d\t%s%s\n' "$name" "$run" "${options[*]:+${options[*]}: }" \
          "$(tr '\n\t' '  ' <<<"$text")"
        return
      fi
    done <<<"$variants"
  done
  printf 'pass\t%s\t%d\t\n' "$name" "$TIMES"
}

if [ "${1:-}" = --one ]; then
  run_one "$2"
  exit 0
fi

# --- all of them --------------------------------------------------------------------------------

VARIANTS='' QUIET_VARIANTS='' SYMBOLIZER='' TOOL=steward STEWARD='' COMPILER=gcc OPT=O0 TIMES=1 jobs=1 json='' list=0 files=()
while [ $# -gt 0 ]; do
  case "$1" in
    --tool) TOOL=$2 && shift 2 ;;
    --steward) STEWARD=$(realpath "$2") && shift 2 ;;
    --compiler) COMPILER=$2 && shift 2 ;;
    --opt) OPT=${2#-} && shift 2 ;;
    --times) TIMES=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    --also) VARIANTS+=$'\n'$2 && shift 2 ;;
    --quiet-also) QUIET_VARIANTS+=$'\n'$2 && shift 2 ;;
    --json) json=$2 && shift 2 ;;
    --symbolizer) SYMBOLIZER=$2 && shift 2 ;;
    --list) list=1 && shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    -*) echo "run.sh: no such option: $1 (see --help)" >&2 && exit 2 ;;
    *)
      [ -f "$1" ] || { echo "run.sh: no such program: $1" >&2 && exit 2; }
      files+=("$(realpath "$1")") && shift
      ;;
  esac
done
case "$TOOL" in
  steward | record) [ -x "$STEWARD" ] || { echo "run.sh: --tool $TOOL needs --steward BIN" >&2; exit 2; } ;;
  tsan | helgrind | drd | none) ;;
  *) echo "run.sh: no such tool: $TOOL (see --help)" >&2 && exit 2 ;;
esac

# A program is a source file that says what it expects; the others are libraries of programs.
if [ ${#files[@]} -eq 0 ]; then
  mapfile -t files < <(grep -lE '^// EXPECT: ' "$here"/*/*.c "$here"/*/*.cpp | sort)
fi
if [ "$list" = 1 ]; then
  printf '%s\n' "${files[@]#"$here"/}"
  exit 0
fi

OUTPUT=${PROGRAMS_OUTPUT:-$root/build/programs}/$COMPILER-$OPT/$TOOL
CHECKER=${PROGRAMS_OUTPUT:-$root/build/programs}/check_report
mkdir -p "$OUTPUT"
exec 9>"$OUTPUT/lock" # two runs of one kind would read each other's half-written reports
flock -n 9 || { echo "run.sh: another run is at work in $OUTPUT; waiting for it" >&2 && flock 9; }
if [ ! "$CHECKER" -nt "$here/support/check_report.cpp" ]; then
  g++ -std=c++20 -O1 -Wall -Wextra -o "$CHECKER.$$" "$here/support/check_report.cpp"
  mv "$CHECKER.$$" "$CHECKER"
fi

export VARIANTS QUIET_VARIANTS SYMBOLIZER TOOL STEWARD COMPILER OPT TIMES OUTPUT CHECKER
results=$OUTPUT/results.$$
trap 'rm -f "$results"' EXIT
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" "$here/run.sh" --one >"$results" 9>&- || true
sort -k2 -o "$results" "$results"

# Where ThreadSanitizer is known to say something else, its answer is no failure of ours.
if [ "$TOOL" = tsan ] && [ -f "$here/TSAN-DIFFERS.md" ]; then
  while IFS=$'\t' read -r status name run text; do
    [ "$status" = fail ] && grep -qF "\`$name\`" "$here/TSAN-DIFFERS.md" && status=differ
    printf '%s\t%s\t%s\t%s\n' "$status" "$name" "$run" "$text"
  done <"$results" >"$results.marked"
  mv "$results.marked" "$results"
fi

count() { grep -c "^$1" "$results" || true; }
awk -F'\t' '$1 == "fail" { printf "FAIL %s (run %s): %s\n", $2, $3, $4 }' "$results"
if [ -n "$json" ]; then
  awk -F'\t' -v tool="$TOOL" -v compiler="$COMPILER" -v opt="$OPT" '
    BEGIN { printf "{\"tool\": \"%s\", \"compiler\": \"%s\", \"opt\": \"%s\", \"results\": [", tool, compiler, opt }
    { gsub(/["\\]/, "\\\\&", $4)
      printf "%s\n  {\"program\": \"%s\", \"status\": \"%s\", \"run\": %d, \"text\": \"%s\"}", (NR > 1 ? "," : ""), $2, $1, $3, $4 }
    END { print "\n]}" }' "$results" >"$json"
fi
[ "$(count skip)" = 0 ] || echo "$(count skip) not for this compiler or optimisation"
[ "$(count differ)" = 0 ] || echo "$(count differ) differ as TSAN-DIFFERS.md says"
echo "$(count pass) passed, $(count fail) failed"
[ "$(count fail)" = 0 ] && [ "$(wc -l <"$results")" = "${#files[@]}" ]
