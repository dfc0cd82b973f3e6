#!/usr/bin/env bash
# End-to-end tests of the steward binary.
#   cli_test.sh STEWARD SOURCE_DIR [JSON_CHECK]     JSON_CHECK: else the one beside STEWARD
#
# A test is a name, an exit code, fragments of what is printed, and a command:
#   check NAME CODE [out=TEXT | err=TEXT | no-out=TEXT | no-err=TEXT | silent-out | silent-err]... -- COMMAND...
set -uo pipefail

steward=$(realpath "$1")
source_dir=$(realpath "$2")
json_check=$(realpath "${3:-$(dirname "$steward")/json_check}")
examples=$source_dir/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR

passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() { # NAME REASON
  failed=$((failed + 1))
  printf 'FAILED %s: %s\n' "$1" "$2"
  if [ -s out ]; then sed 's/^/    out: /' out | head -n 20; fi
  if [ -s err ]; then sed 's/^/    err: /' err | head -n 20; fi
}

has() { grep -qF -e "$2" "$1"; }

# The reason why the files out and err are not as they should be, or nothing.
broken_expectation() {
  local e
  for e in "$@"; do
    case $e in
      out=*) has out "${e#out=}" || { echo "'${e#out=}' is not on stdout"; return; } ;;
      err=*) has err "${e#err=}" || { echo "'${e#err=}' is not on stderr"; return; } ;;
      no-out=*) has out "${e#no-out=}" && { echo "'${e#no-out=}' is on stdout"; return; } ;;
      no-err=*) has err "${e#no-err=}" && { echo "'${e#no-err=}' is on stderr"; return; } ;;
      silent-out) [ -s out ] && { echo "stdout is not empty"; return; } ;;
      silent-err) [ -s err ] && { echo "stderr is not empty"; return; } ;;
      *) echo "the test has no such expectation: $e"; return ;;
    esac
  done
}

check() {
  local name=$1 want=$2 got=0 reason
  local -a expectations=()
  shift 2
  while [ "$1" != -- ]; do
    expectations+=("$1")
    shift
  done
  shift
  "$@" >out 2>err </dev/null || got=$?
  if [ "$got" -ne "$want" ]; then
    fail "$name" "exit code $got, expected $want"
    return
  fi
  reason=$(broken_expectation "${expectations[@]}")
  if [ -n "$reason" ]; then fail "$name" "$reason"; else pass; fi
}

# json NAME POINTER VALUE: what the last JSON, in the file `json`, holds
json() {
  local got
  got=$("$json_check" "$2" <json 2>&1)
  if [ "$got" = "$3" ]; then pass; else
    : >out
    : >err
    fail "$1" "$2 is '$got', expected '$3'"
  fi
}

same() { # NAME FILE FILE
  if cmp -s "$2" "$3"; then pass; else
    diff "$2" "$3" >out
    : >err
    fail "$1" "$2 and $3 differ"
  fi
}

sh_c() { bash -c "set -o pipefail; $1"; }
export steward examples json_check

# shellcheck source=tests/cli/usage.sh
. "$source_dir/tests/cli/usage.sh"
# shellcheck source=tests/cli/analyze.sh
. "$source_dir/tests/cli/analyze.sh"
# shellcheck source=tests/cli/audit.sh
. "$source_dir/tests/cli/audit.sh"
# shellcheck source=tests/cli/broken_input.sh
. "$source_dir/tests/cli/broken_input.sh"
# shellcheck source=tests/cli/convert.sh
. "$source_dir/tests/cli/convert.sh"
# shellcheck source=tests/cli/report.sh
. "$source_dir/tests/cli/report.sh"
# shellcheck source=tests/cli/doctor.sh
. "$source_dir/tests/cli/doctor.sh"
# shellcheck source=tests/cli/output.sh
. "$source_dir/tests/cli/output.sh"
# shellcheck source=tests/cli/simulate.sh
. "$source_dir/tests/cli/simulate.sh"

check "demo: runs and ends well" 0 out="SUMMARY: 2 distinct data races" out='$ steward convert' \
  -- "$examples/demo.sh" "$steward"
check "demo: without a binary" 2 err="usage: demo.sh" -- "$examples/demo.sh"
check "demo: fails when there is no race" 1 err="expected races and exit code 66, got exit code 0" \
  -- "$examples/demo.sh" /bin/true

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
