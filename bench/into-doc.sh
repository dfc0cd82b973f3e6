#!/usr/bin/env bash
# Replaces what stands between two markers of a document by standard input.
#   bench/into-doc.sh DOCUMENT NAME    markers: <!-- NAME: begin ... --> and <!-- NAME: end -->
set -euo pipefail

document=$1 name=$2
if ! grep -q "^<!-- $name: begin" "$document" || ! grep -q "^<!-- $name: end" "$document"; then
  echo "into-doc.sh: $document has no markers '$name'" >&2
  exit 1
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
  sed "/^<!-- $name: begin/q" "$document"
  cat
  sed -n "/^<!-- $name: end/,\$p" "$document"
} >"$new"
cat "$new" >"$document"
