#!/usr/bin/env bash
# Runs every program of tests/programs under Steward, ThreadSanitizer, Helgrind and DRD and writes
# who is right about which into docs/who-is-right.md.
#   bench/verdicts.sh [options]
#     --tools 'A B'     only these, see `all` below; the others' last results are kept
#     --steward BIN     (build/release/bin/steward)
#     --new             only programs that have no result yet, or are newer than it; the others' are kept
#     --again           run nothing, write the tables of the last results again
# Some 40 minutes on two cores, at low priority and one program at a time; progress goes to standard
# error. Results: build/verdicts/<tool>-<compiler>-<opt>.tsv: program, class, text.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/.." && pwd)
programs=$root/tests/programs
out=$root/build/verdicts
# tool-compiler-optimisation. Valgrind reads machine code: -O0, where lines are most exact, is fair.
all='steward-gcc-O0 steward-clang-19-O0 tsan-gcc-O0 tsan-clang-19-O0 helgrind-gcc-O0 drd-gcc-O0
  steward-gcc-O2 steward-clang-19-O2 tsan-gcc-O2 tsan-clang-19-O2'
# What Valgrind's tools could find but do not look for by default.
export VALGRIND_OPTS='--helgrind:free-is-write=yes --drd:free-is-write=yes --drd:check-stack-var=yes'
tools=$all STEWARD=$root/build/release/bin/steward again=0 new=0
while [ $# -gt 0 ]; do
  case "$1" in
    --tools) tools=$2 && shift 2 ;;
    --steward) STEWARD=$(realpath "$2") && shift 2 ;;
    --new) new=1 && shift ;;
    --again) again=1 && shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    *) echo "verdicts.sh: no such option: $1 (see --help)" >&2 && exit 2 ;;
  esac
done
# shellcheck source-path=SCRIPTDIR source=verdicts/applicable.sh
. "$here/verdicts/applicable.sh"

exit_code_of() { sed -n -E 's|^// EXIT: ([0-9]+).*|\1|p' "$1" | head -n 1; }
expected_of() { sed -n -E 's|^// EXPECT: (race\|none).*|\1|p' "$1" | head -n 1; }

# judge TOOL OUTPUT: results of run.sh, "status TAB program TAB text", as classify.awk reads them
judge() {
  local tool=$1 output=$2 status program text report
  while IFS=$'\t' read -r status program text; do
    report=$output/${program%.*}.run.report
    case "$tool-$status" in
      helgrind-pass | helgrind-fail | drd-pass | drd-fail)
        # run.sh looks at the exit code only; the log says which lines.
        text+=$(awk -f "$here/verdicts/judge_valgrind.awk" "name=$(basename "$program")" \
          "$programs/$program" "$report" 2>/dev/null || echo ' cannot read the log')
        [ -z "$text" ] || status=fail
        ;;
      tsan-*)
        # The runtime's own crash has the exit code of a race.
        if grep -qsE 'ThreadSanitizer: (SEGV|CHECK failed)|FATAL: Thread' "$report"; then
          status=fail text+=' crashes;'
        fi
        ;;
    esac
    printf '%s\t%s\t%s\t%s\t%d\n' "$status" "$program" "$text" \
      "$(expected_of "$programs/$program")" "$(exit_code_of "$programs/$program")"
  done
}

# One line of run.sh's JSON as "status TAB program TAB text".
result_line='s|^  \{"program": "([^"]*)", "status": "([^"]*)", .*"text": "(.*)"\},?$|\2\t\1\t\3|p'

# run_tool TOOL-COMPILER-OPT: all programs it can be asked about, a family at a time
run_tool() {
  local tool=${1%%-*} opt=${1##*-} compiler=${1#*-} family source why askable total=0
  compiler=${compiler%-*}
  : >"$out/$1.new"
  for family in "$programs"/*/; do
    askable=()
    for source in "$family"*.c "$family"*.cpp; do
      [ -f "$source" ] || continue
      [ -n "$(expected_of "$source")" ] || continue
      total=$((total + 1))
      if [ "$new" = 1 ] && [ ! "$source" -nt "$out/$1.tsv" ] &&
        grep -sF "${source#"$programs"/}"$'\t' "$out/$1.tsv" >>"$out/$1.new"; then
        continue
      fi
      why=$(not_applicable "$tool" "$compiler" "$source")
      if [ -n "$why" ]; then
        printf '%s\tn/a\t%s\n' "${source#"$programs"/}" "$why" >>"$out/$1.new"
      else
        askable+=("$source")
      fi
    done
    [ ${#askable[@]} -gt 0 ] || continue
    # Not zero when a program fails, which is what we want to know.
    PROGRAMS_OUTPUT=$out nice "$programs/run.sh" --tool "$tool" --steward "$STEWARD" \
      --compiler "$compiler" --opt "$opt" --json "$out/$1.json" "${askable[@]}" \
      >"$out/$1.log" 2>&1 || true
    sed -n -E "$result_line" "$out/$1.json" | judge "$tool" "$out/$compiler-$opt/$tool" |
      awk -F'\t' -f "$here/verdicts/classify.awk" >>"$out/$1.new"
    printf '%s: %s, %d programs so far\n' "$1" "$(basename "$family")" "$total" >&2
  done
  if [ "$(wc -l <"$out/$1.new")" != "$total" ]; then
    echo "verdicts.sh: $1: $(wc -l <"$out/$1.new") results of $total programs" >&2
    exit 1
  fi
  mv "$out/$1.new" "$out/$1.tsv"
}

mkdir -p "$out"
if [ "$again" = 0 ]; then
  exec 9>"$out/lock"
  flock -n 9 || { echo "verdicts.sh: another run is at work in $out" >&2 && exit 1; }
  STEWARD=$("$here/snapshot.sh" "$STEWARD" "$out/snapshot")
  for name in $tools; do run_tool "$name"; done
fi

# What each program shows: its first line.
for source in "$programs"/*/*.c "$programs"/*/*.cpp; do
  [ -n "$(expected_of "$source")" ] || continue
  printf '%s\t%s\t%s\n' "${source#"$programs"/}" "$(expected_of "$source")" \
    "$(sed -n '1s|^// *||p' "$source")"
done | sort >"$out/programs.tsv"
done_tools=()
for name in $all; do
  [ -f "$out/$name.tsv" ] && done_tools+=("$out/$name.tsv")
done
{
  printf '%s; %s; %s.\n\n' "$(gcc --version | head -n 1)" "$(clang-19 --version | head -n 1)" \
    "$(valgrind --version)"
  awk -F'\t' -f "$here/verdicts/tables.awk" "$out/programs.tsv" "${done_tools[@]}"
} | tee "$out/tables.md" | "$here/into-doc.sh" "$root/docs/who-is-right.md" verdicts
sed -n '3,/^$/p' "$out/tables.md"
echo "docs/who-is-right.md"
