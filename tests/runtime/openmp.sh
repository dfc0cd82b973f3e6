#!/usr/bin/env bash
# OpenMP, built by gcc and by every clang that can build it here: what OpenMP orders is not reported, by any
# tool that is told; races are. Where nobody tells, that is said.
#   openmp.sh STEWARD
set -uo pipefail

steward=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/openmp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OMP_TOOL OMP_TOOL_LIBRARIES TSAN_OPTIONS
failed=0
fail() {
  echo "FAIL $compiler: $1"
  head -n 20 err | sed 's/^/    /'
  failed=1
}
# ends CODE WHAT COMMAND...
ends() {
  local want=$1 what=$2 code=0
  shift 2
  timeout 120 "$@" >out 2>err </dev/null || code=$?
  [ "$code" = "$want" ] || fail "$what: exit code $code and not $want"
}
says() { grep -qE "$1" err || fail "$2: does not say '$1'"; }
quiet() { ! grep -qv 'OpenMP: .* in place of' err || fail "$1 is not quiet"; }

built=()
for compiler in gcc clang-14 clang-19 clang-22; do
  command -v "$compiler" >/dev/null || continue
  # Only one version of libomp-dev can be installed, and each clang looks for its own.
  if ! STEWARD_CC=$compiler "$steward" cc -fopenmp -g -O1 "$here/ordered.c" -o ordered 2>err; then
    if [ "$compiler" = gcc ]; then fail "ordered.c does not build"; fi
    continue
  fi
  built+=("$compiler")
  STEWARD_CC=$compiler "$steward" cc -fopenmp -g -O1 "$here/races.c" -o races 2>err || fail "races.c does not build"

  for _ in 1 2 3; do
    ends 0 "what is ordered" "$steward" run ./ordered
    quiet "what is ordered"
  done
  ends 0 "what is ordered, sampled" "$steward" run --sample 100% ./ordered
  ends 0 "what is ordered, recorded" "$steward" record -o trace ./ordered
  ends 0 "what was recorded" "$steward" analyze trace
  for race in critical names nowait master task; do
    ends 66 "race '$race'" "$steward" run ./races $race
  done
  ends 66 "race 'critical', stopped at" env STEWARD_OPTIONS=halt_on_error=1 "$steward" run ./races critical
  # A library of the program's own may be called nearly so.
  STEWARD_CC=$compiler "$steward" cc -g -O1 -shared -fPIC "$here/planner.c" -o libompl.so 2>err || fail "planner.c does not build"
  STEWARD_CC=$compiler "$steward" cc -fopenmp -g -O1 "$here/plans.c" -o plans -L. -lompl -Wl,-rpath,"$work" 2>err || fail "plans.c does not build"
  ends 0 "a library called libompl" "$steward" run ./plans
  quiet "a library called libompl"
  # That order is seen only because it is told.
  ends 66 "what nobody tells" env OMP_TOOL=disabled "$steward" run ./ordered
done
[ ${#built[@]} -gt 1 ] || { echo "FAIL no clang here builds OpenMP (is libomp-dev installed?)"; failed=1; }

# Where there is no Archer beside the library, and where the program asks for what it has not.
compiler=${built[1]-}
STEWARD_CC=$compiler "$steward" cc -fopenmp -g -O1 "$here/races.c" -o races
libomp=$(ldd ./races | awk '$1 ~ /^libomp/ {print $3}')
mkdir alone
cp -L "$libomp" "alone/$(basename "$libomp")"
ends 66 "a libomp without Archer" env LD_LIBRARY_PATH="$PWD/alone" "$steward" run ./races critical
says 'OpenMP: no libomp with its libarcher.so' "a libomp without Archer"
ends 66 "a libomp without Archer, chosen" env LD_LIBRARY_PATH="$PWD/alone" OMP_TOOL=disabled "$steward" run ./races critical
! grep -q OpenMP err || fail "speaks of OpenMP where the user has chosen"
compiler=gcc
printf 'void GOMP_of_the_future(void) {}\n' >future.c
gcc -shared -fPIC future.c -o libgomp_future.so
printf 'void GOMP_of_the_future(void);\n#include <omp.h>\nint main(void) { GOMP_of_the_future(); return omp_get_max_threads() < 1; }\n' >new.c
STEWARD_CC=gcc "$steward" cc -fopenmp new.c -o new -L. -lgomp_future -Wl,-rpath,"$PWD"
ends 0 "a libgomp newer than libomp" "$steward" run ./new
says 'OpenMP: .* has no GOMP_of_the_future' "a libgomp newer than libomp"
"$steward" doctor ./new >err 2>&1
says 'look +OpenMP +what it orders is not seen' "a libgomp newer than libomp, doctor"
"$steward" doctor ./ordered >err 2>&1
says 'ok +OpenMP +.* tells what it orders' "doctor"

[ $failed = 0 ] && echo "ok: ${built[*]}"
exit $failed
