#!/usr/bin/env bash
# Real programs, built unmodified from Debian's source packages, run under race detectors.
#   bench/programs/run.sh [--config C]... [--steward FILE] [name...]
# C: native gcc-tsan clang-tsan steward-gcc steward-clang, or all (default: native clang-tsan steward-clang).
# name: a script of this folder (default: all). Fetches, builds, runs a fixed workload, checks its answers; then a table.
# Everything lands in build/real/; missing Debian packages are installed (root or sudo), and said.
# Exit code 0 if every program ran to its end with the right output. Races do not count: they are what is looked for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
real=$here/../../build/real

configs=() names=() options=()
while [ $# -gt 0 ]; do
  case $1 in
    --config) configs+=("$2") && shift 2 ;;
    --steward) options+=(--steward "$2") && shift 2 ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" && exit 0 ;;
    -*) echo "run.sh: no such option: $1 (see --help)" >&2 && exit 2 ;;
    *)
      [ -x "$here/$1.sh" ] && [ "$1" != run ] || { echo "run.sh: no such program: $1" >&2 && exit 2; }
      names+=("$1") && shift
      ;;
  esac
done
[ ${#configs[@]} -gt 0 ] || configs=(native clang-tsan steward-clang)
[ "${configs[*]}" != all ] || configs=(native gcc-tsan clang-tsan steward-gcc steward-clang)
[ ${#names[@]} -gt 0 ] || names=(pbzip2 zstd xz memcached leveldb redis sqlite3 x264)

failed=0
for name in "${names[@]}"; do
  for config in "${configs[@]}"; do
    "$here/$name.sh" --config "$config" ${options[@]+"${options[@]}"} || failed=$((failed + 1))
  done
done

echo
printf '%-10s %-26s %-14s %8s %8s %8s %6s\n' program version configuration 'CPU s' 'to native' 'peak MB' races
for name in "${names[@]}"; do
  for config in "${configs[@]}"; do
    result=$real/$name/$config/run/result
    if [ ! -f "$result" ]; then
      printf '%-10s %-26s %-14s FAILED\n' "$name" "$(cat "$real/$name/version" 2>/dev/null || echo '?')" "$config"
      continue
    fi
    native=$(cut -f4 "$real/$name/native/run/result" 2>/dev/null || echo 0)
    awk -F'\t' -v native="$native" '{ printf "%-10s %-26s %-14s %8.2f %8s  %8d %6s\n", $1, $2, $3, $4,
      (native > 0 ? sprintf("%.1f", $4 / native) : "-"), $6, $7 }' "$result"
  done
done
[ $failed = 0 ] || { echo "$failed failed" && exit 1; }
