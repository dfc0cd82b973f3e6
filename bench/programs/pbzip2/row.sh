# pbzip2 as a row of the live benchmark: four megabytes of text, two threads; libbz2 is the system's, not instrumented. What it writes is the same every time.
# shellcheck shell=bash disable=SC2034
row_sources=("$ROW/../pbzip2.sh" "$ROW/../common.sh")
row_build() { "$ROW/../pbzip2.sh" --build "$1"; }
row_command() { command=("$1/src/pbzip2" -p2 -b3 -k -q -c "$1/input-$2"); }
