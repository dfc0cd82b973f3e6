#!/usr/bin/env bash
# Fails on an include that points against the direction of the dependencies.
#   layers.sh SRC          layers.sh --self-test SRC: shows that a wrong include is caught
set -euo pipefail

# layer -> what it may include besides itself
allowed() {
  case "$1" in
    event) echo "" ;;
    core) echo "event" ;;
    trace) echo "event" ;;
    analyze) echo "event core" ;;
    runtime) echo "event core" ;;
    sim) echo "event core trace" ;;
    pass) echo "" ;;
    report) echo "event" ;;
    cli) echo "event core trace analyze report runtime sim" ;;
    *) echo "UNKNOWN" ;;
  esac
}

check() {
  local src=$1 bad=0 file layer included
  while IFS=: read -r file line; do
    layer=${file#"$src"/}
    layer=${layer%%/*}
    included=$(sed -E 's/.*"([^"/]+)\/.*/\1/' <<<"$line")
    [ -d "$src/$included" ] || continue
    [ "$included" = "$layer" ] && continue
    if [[ " $(allowed "$layer") " != *" $included "* ]]; then
      echo "$file includes from $included/; $layer/ may include only: $(allowed "$layer")" >&2
      bad=1
    fi
  done < <(grep -rE --include='*.h' --include='*.cpp' '^#include "[a-z_]+/' "$src")
  for dir in "$src"/*/; do
    if [ "$(allowed "$(basename "$dir")")" = UNKNOWN ]; then
      echo "$dir is no known layer: add it to tests/layers.sh" >&2
      bad=1
    fi
  done
  return $bad
}

if [ "$1" = --self-test ]; then
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  cp -r "$2"/. "$copy"
  echo '#include "cli/main.h"' >>"$copy/event/event.h"
  if check "$copy" 2>/dev/null; then
    echo "a wrong include was not caught" >&2
    exit 1
  fi
  exit 0
fi
check "$1"
