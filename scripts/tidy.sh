#!/usr/bin/env bash
# clang-tidy over src/ with the checks in .clang-tidy. Needs the release build's compile commands.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/deps.sh tidy
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'src/**/*.cpp')
printf '%s\n' "${files[@]}" |
  xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy-19 -p build/release --quiet 2>/dev/null
