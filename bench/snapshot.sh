#!/usr/bin/env bash
# Copies `steward` with its runtime libraries, so that a build during a long measurement changes
# nothing under it. Prints the path of the copy.
#   bench/snapshot.sh STEWARD FOLDER
set -euo pipefail

from=$(cd "$(dirname "$1")/.." && pwd) folder=$2
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib"
cp -p "$1" "$folder/bin/steward"
cp -rp "$from/lib/steward" "$folder/lib/steward"
echo "$folder/bin/steward"
