#!/usr/bin/env bash
# exports.sh LIBRARY: does the runtime library export every name of required-symbols.txt, need no C++
# library, and keep everything else to itself?
set -euo pipefail

library=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/exported"
grep -v '^ *\(#\|$\)' "$here/required-symbols.txt" | sort -u >"$work/required"

failed=0
fail() {
  echo "FAIL $1"
  failed=1
}
while read -r name; do fail "not exported: $name"; done < <(comm -13 "$work/exported" "$work/required")
# Of C++ names only those asked for, operator new and delete among them: anything else would take the
# place of the program's own.
while read -r name; do fail "ought to be hidden: $name"; done \
  < <(comm -23 "$work/exported" "$work/required" | grep '^_Z' | grep -v '^_Z\(n\|d\)\(w\|a\|l\)[mP]' || true)
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
if grep -qE 'libstdc|libc\+\+' <<<"$needed"; then fail "needs a C++ library: $needed"; fi
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ "$soname" = libtsan.so.2 ] || fail "its SONAME is $soname"

[ "$failed" = 0 ] && echo "$(wc -l <"$work/required") names, all exported"
exit "$failed"
