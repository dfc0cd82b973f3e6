# shellcheck shell=bash
# Sourced by run.sh: how a row is built and run under each tool. One name a configuration:
# what checks it, then the compiler. Helgrind and DRD run what native-gcc built.
# Needs: STEWARD, the `steward` program.

configurations=(native-gcc native-clang tsan-gcc tsan-clang steward-gcc steward-clang helgrind drd)

# build_of CONFIGURATION: the configuration whose build it runs
build_of() {
  case "$1" in
    helgrind | drd) echo native-gcc ;;
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

# find_prefixes FOLDER: builds and runs a racy program under every detector, so that a detector
# that is not at work, which would look fast, is noticed; and sees whether ThreadSanitizer's
# runtime needs address space randomisation off ("unexpected memory mapping").
find_prefixes() {
  local folder=$1 source configuration code
  source=$(dirname "${BASH_SOURCE[0]}")/canary.c
  for configuration in "${configurations[@]}"; do
    case "$configuration" in tsan-* | steward-*) ;; *) continue ;; esac
    (
      set_compilers "$configuration"
      # shellcheck disable=SC2086  # compilers and flags are words
      $CC $CFLAGS -pthread "$source" -o "$folder/canary-$configuration"
    )
    code=0
    "$folder/canary-$configuration" >"$folder/canary.log" 2>&1 || code=$?
    if grep -q 'unexpected memory mapping' "$folder/canary.log"; then
      # shellcheck disable=SC2034
      prefix[$configuration]='setarch -R'
      code=0
      setarch -R "$folder/canary-$configuration" >"$folder/canary.log" 2>&1 || code=$?
    fi
    if [ "$code" != 66 ]; then
      echo "run.sh: $configuration does not report the race of canary.c (exit code $code):" >&2
      head -n 5 "$folder/canary.log" >&2
      exit 1
    fi
  done
}
