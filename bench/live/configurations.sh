# shellcheck shell=bash
# Sourced by run.sh: how a row is built and run under each tool. One name a configuration:
# what checks it, then the compiler. Helgrind and DRD run what native-gcc built; pacer-R, which
# samples R percent and is none of the usual ones, what steward-clang built.
# Needs: STEWARD, the `steward` program.

configurations=(native-gcc native-clang tsan-gcc tsan-clang steward-gcc steward-clang helgrind drd)

# build_of CONFIGURATION: the configuration whose build it runs
build_of() {
  case "$1" in
    helgrind | drd) echo native-gcc ;;
    pacer-*) echo steward-clang ;;
    *) echo "$1" ;;
  esac
}

is_valgrind() { [ "$1" = helgrind ] || [ "$1" = drd ]; }

# set_compilers CONFIGURATION: what a build system reads, in the environment
set_compilers() {
  local cc=gcc cxx=g++
  case "$1" in *-clang) cc=clang-19 cxx=clang++-19 ;; esac
  export STEWARD_CC=$cc STEWARD_CXX=$cxx
  case "$1" in
    tsan-*) cc="$cc -fsanitize=thread" cxx="$cxx -fsanitize=thread" ;;
    steward-*) cc="$STEWARD cc" cxx="$STEWARD c++" ;;
  esac
  export CC=$cc CXX=$cxx CFLAGS='-O2 -g' CXXFLAGS='-O2 -g' LDFLAGS=''
}

# Words in front of the command, for run.sh; find_prefixes fills in what this machine needs.
# shellcheck disable=SC2034
declare -A prefix=([helgrind]='valgrind -q --tool=helgrind' [drd]='valgrind -q --tool=drd')

# expect_race NAME COMMAND...: it reports the race of canary.c; else nothing is measured. Two
# accesses at the very same moment escape ThreadSanitizer now and then, so it has some tries.
expect_race() {
  local name=$1 log code
  shift
  log=$(mktemp)
  for _ in {1..5}; do
    code=0
    "$@" >"$log" 2>&1 || code=$?
    [ "$code" != 66 ] || break
  done
  if [ "$code" != 66 ]; then
    echo "run.sh: $name does not report the race of canary.c (exit code $code):" >&2
    head -n 5 "$log" >&2
    exit 1
  fi
  rm -f "$log"
}

# find_prefixes FOLDER: builds and runs a racy program under every detector, so that a detector
# that is not at work, which would look fast, is noticed; and sees whether ThreadSanitizer's
# runtime needs address space randomisation off ("unexpected memory mapping").
find_prefixes() {
  local folder=$1 source configuration program library
  source=$(dirname "${BASH_SOURCE[0]}")/canary.c
  library=$(realpath "$(dirname "$STEWARD")/../lib/steward/pacer")
  for configuration in "${configurations[@]}"; do
    program=$folder/canary-$(build_of "$configuration")
    case "$configuration" in
      tsan-* | steward-*)
        (
          set_compilers "$configuration"
          # shellcheck disable=SC2086  # compilers and flags are words
          $CC $CFLAGS -pthread "$source" -o "$program"
        )
        if "$program" 2>&1 | grep -q 'unexpected memory mapping'; then
          prefix[$configuration]='setarch -R'
        fi
        # shellcheck disable=SC2086  # a prefix is words
        expect_race "$configuration" ${prefix[$configuration]:-} "$program"
        ;;
      pacer-*) # as `steward run` starts it, but with no process beside it
        prefix[$configuration]="env LD_PRELOAD=$library/libtsan.so.2 LD_LIBRARY_PATH=$library"
        # shellcheck disable=SC2086
        expect_race "$configuration" ${prefix[$configuration]} "$program"
        prefix[$configuration]+=" STEWARD_OPTIONS=sample=${configuration#pacer-}%"
        ;;
    esac
  done
}
