# xz: four megabytes of text, two threads.
# shellcheck shell=bash disable=SC2034 source=../compressor.sh
. "$ROW/../compressor.sh"
row_compress() { command=("$1/src/src/xz/xz" -T2 -1 --block-size=512KiB -c "$2"); }
row_decompress() { "$1/src/src/xz/xz" -dc; }
