# xz as a row of the live benchmark: four megabytes of text, two threads. What it writes is the same every time.
# shellcheck shell=bash disable=SC2034
row_sources=("$ROW/../xz.sh" "$ROW/../common.sh")
row_build() { "$ROW/../xz.sh" --build "$1"; }
row_command() { command=("$1/src/src/xz/xz" -T2 -1 --block-size=512KiB -c "$1/input-$2"); }
