#!/usr/bin/env bash
# Records programs for the simulator's figures: kernels of bench/live, eight threads and little work,
# and real programs. Prints the traces' paths.
#   bench/record/programs.sh STEWARD FOLDER
set -euo pipefail

steward=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
kernels=$root/bench/live/kernels
# What has not changed is not built and recorded again.
stale() { [ ! -s "$1" ] || [ "$steward" -nt "$1" ] || [ "$2" -nt "$1" ]; }

export STEWARD_CC=clang-19 STEWARD_CXX=clang++-19
# Kernel and percent of its usual work: some million accesses each.
for k in bytes.c:1 containers.cpp:2 float_arrays.cpp:1 hash_map.cpp:4 queue.c:2 rwlock.c:3 stencil.c:1 \
  tree_search.cpp:1; do
  file=${k%:*}
  name=${file%.*}
  if stale "$folder/$name.trace" "$kernels/$file"; then
    if [ "${file##*.}" = c ]; then language='cc --record -std=gnu11'; else language='c++ --record -std=gnu++17'; fi
    # shellcheck disable=SC2086  # words
    "$steward" $language -O2 -g -pthread "$kernels/$file" -o "$folder/$name"
    "$steward" record -q -o "$folder/$name.trace" "$folder/$name" "${k#*:}" 8 >"$folder/$name.out"
  fi
  echo "$folder/$name.trace"
done

# Real programs, from Debian's sources, on small pieces of text. Left out where they cannot be had.
real() { # NAME COMMAND...: words {} stand for the folder it was built in
  local name=$1 build=$folder/real/$1 word command=()
  shift
  if [ ! -e "$build/built" ]; then
    rm -rf "$build"
    mkdir -p "$build"
    if ! CC="$steward cc --record" CXX="$steward c++ --record" CFLAGS='-O2 -g' CXXFLAGS='-O2 -g' LDFLAGS='' \
      "$root/bench/programs/$name.sh" --build "$build" >"$build.log" 2>&1; then
      echo "programs.sh: $name was not built, see $build.log; left out" >&2
      return 0
    fi
    "$root/bench/programs/$name.sh" --text "$build/input-25" 25
    head -c 60000 "$build/input-25" >"$build/input"
    touch "$build/built"
  fi
  if stale "$folder/$name.trace" "$build/built"; then
    for word in "$@"; do command+=("${word//\{\}/$build}"); done
    "$steward" record -q -o "$folder/$name.trace" "${command[@]}" >"$folder/$name.out"
  fi
  echo "$folder/$name.trace"
}
real xz '{}/src/src/xz/xz' -T8 -0 --block-size=8KiB -c '{}/input'
real zstd '{}/src/programs/zstd' -q -T8 -B512K -1 -c '{}/input-25'
