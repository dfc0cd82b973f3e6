# zstd as a row of the live benchmark: four megabytes of text at level 7, two workers. What it writes is the same every time.
# shellcheck shell=bash disable=SC2034
row_sources=("$ROW/../zstd.sh" "$ROW/../common.sh")
row_build() { "$ROW/../zstd.sh" --build "$1"; }
row_command() { command=("$1/src/programs/zstd" -q -T2 -B512K -7 -c "$1/input-$2"); }
