#!/usr/bin/env bash
# xz: compresses and decompresses 4 MB with two threads, blocks of 512 KiB.
. "$(dirname "$0")/common.sh"
package=xz-utils
needs=()

build() {
  ./configure --disable-shared --disable-nls --disable-doc --disable-scripts --disable-lzmainfo &&
    make -j "$jobs"
}

workload() {
  text 4000000 3 input
  checked "$src/src/xz/xz" -k -T2 -1 --block-size=512KiB input
  checked "$src/src/xz/xz" -T2 -dc input.xz >output
  same input output "decompressed"
  checked "$src/src/xz/xz" -T2 -3 --block-size=1MiB -c <input >piped.xz
  checked "$src/src/xz/xz" -T2 -t piped.xz
  checked "$src/src/xz/xz" -T2 -dc <piped.xz >piped
  same input piped "decompressed from a pipe"
}
main "$@"
