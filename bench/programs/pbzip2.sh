#!/usr/bin/env bash
# pbzip2: compresses and decompresses 6 MB with two threads, through a file and through pipes.
. "$(dirname "$0")/common.sh"
package=pbzip2
needs=(libbz2-dev bzip2)

# C++98: clang takes "%"PRIuMAX for a C++11 literal. libbz2 is the system's, not instrumented.
build() { CXXFLAGS="$CXXFLAGS -std=gnu++98" make -j "$jobs"; }

workload() {
  text 6000000 1 input
  checked "$src/pbzip2" -p2 -b3 -k -q input
  bzip2 -dc input.bz2 | cmp - input || die "WRONG: bzip2 reads something else from what pbzip2 wrote"
  checked "$src/pbzip2" -p2 -dc input.bz2 >output
  same input output "decompressed"
  checked "$src/pbzip2" -p2 -b3 -c <input >piped.bz2
  checked "$src/pbzip2" -p2 -dc <piped.bz2 >piped
  same input piped "decompressed from a pipe"
}
main "$@"
