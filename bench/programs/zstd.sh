#!/usr/bin/env bash
# zstd: compresses with two workers at two levels, with long-distance matching, and decompresses.
. "$(dirname "$0")/common.sh"
package=libzstd
needs=()

# zlib, lzma and lz4 support is for other formats.
build() { make -j "$jobs" -C programs zstd HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 DEBUGFLAGS=; }

workload() {
  text 8000000 2 input
  checked "$src/programs/zstd" -q -T2 -B512K -3 input -o level3.zst
  checked "$src/programs/zstd" -q -T2 -B1M -9 --long=22 input -o level9.zst
  checked "$src/programs/zstd" -q -T2 -B512K --rsyncable -c <input >piped.zst
  checked "$src/programs/zstd" -q -d level3.zst -o level3
  checked "$src/programs/zstd" -q -d level9.zst -o level9
  checked "$src/programs/zstd" -q -dc <piped.zst >piped
  same input level3 "level 3"
  same input level9 "level 9"
  same input piped "through pipes"
}
main "$@"
