# shellcheck shell=bash
# Sourced by verdicts.sh: which programs a tool cannot be asked about, by what its own manual says
# of its scope and by what the source contains. A program it could be asked about and gets wrong
# is wrong, however good the reason.

# not_applicable TOOL(steward|tsan|helgrind|drd) COMPILER SOURCE: prints why, or nothing
not_applicable() {
  local tool=$1 compiler=$2 source=$3
  case "$tool-$source" in
    steward-*) ;;
    *-*/lard/*) echo "speaks to Steward by lard.h" && return ;;
  esac
  case "$tool-$compiler" in
    helgrind-* | drd-*)
      if grep -qE '__tsan_|support/annotations\.h|^[^/]*no_sanitize' "$source"; then
        echo "speaks to a sanitizer's compiler or runtime"
      elif grep -q '<threads\.h>' "$source"; then
        echo "C11 threads: the manual's scope is POSIX threads"
      elif grep -qE '<atomic>|<stdatomic\.h>|\b__atomic_|\b__sync_' "$source"; then
        echo "atomics: machine code does not show which accesses are atomic, or their order"
      fi
      ;;
    tsan-gcc)
      if grep -qE 'thread_fence|__sync_synchronize' "$source"; then
        echo "fences: the manual says they are not supported (-Wtsan)"
      fi
      ;;
  esac
}
