# zstd: four megabytes of text at level 7, two workers.
# shellcheck shell=bash disable=SC2034 source=../compressor.sh
. "$ROW/../compressor.sh"
row_compress() { command=("$1/src/programs/zstd" -q -T2 -B512K -7 -c "$2"); }
row_decompress() { "$1/src/programs/zstd" -q -dc; }
