# pbzip2: four megabytes of text, two threads; libbz2 is the system's, not instrumented.
# shellcheck shell=bash disable=SC2034 source=../compressor.sh
. "$ROW/../compressor.sh"
row_compress() { command=("$1/src/pbzip2" -p2 -b3 -k -q -c "$2"); }
row_decompress() { "$1/src/pbzip2" -p2 -dc; }
