#!/usr/bin/env bash
# leveldb: db_bench with two threads; small buffers, so that memtables are flushed and levels compacted meanwhile.
. "$(dirname "$0")/common.sh"
package=leveldb
needs=(cmake libgtest-dev libgmock-dev)

# Without snappy, crc32c and tcmalloc: code that is not instrumented.
build() {
  cmake -S . -B out -DCMAKE_BUILD_TYPE=None -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=ON \
    -DLEVELDB_INSTALL=OFF -DHAVE_SNAPPY=OFF -DHAVE_TCMALLOC=OFF -DHAVE_CRC32C=OFF -DHAVE_SQLITE3=OFF \
    -DHAVE_KYOTOCABINET=OFF && make -j "$jobs" -C out db_bench
}

workload() {
  checked "$src/out/db_bench" --db=db --threads=2 --num=10000 --write_buffer_size=200000 --max_file_size=200000 \
    --cache_size=100000 --open_files=40 --bloom_bits=10 --histogram=0 \
    --benchmarks=fillrandom,overwrite,readrandom,readseq,readwhilewriting,deleterandom,compact,readmissing,stats >bench
  # The keys are random from fixed seeds: how many are found is known until a thread writes meanwhile.
  local lines found
  lines=$(grep -c 'micros/op' bench)
  found=$(sed -n 's/^readrandom .*(\([0-9]*\) of 10000 found).*/\1/p' bench)
  [ "$lines" = 8 ] || die "WRONG: $lines of 8 benchmarks ran"
  [ "$found" = 9802 ] || die "WRONG: readrandom found $found keys"
}
main "$@"
