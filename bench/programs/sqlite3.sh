#!/usr/bin/env bash
# sqlite3: the threadtest3.c of its source tree, 13 of its 15 tests, each for a short time
# (threadtest3.c has 10 to 60 s a test compiled in: sqlite3_short.c is another main for the same file).
# It works for a fixed time: CPU times say nothing; what it got done is in the run's output.
. "$(dirname "$0")/common.sh"
package=sqlite3
needs=(tcl)

build() {
  ./configure --disable-tcl && make -j "$jobs" sqlite3.c sqlite3.h
  $CC $CFLAGS -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_UNLOCK_NOTIFY -I. -Isrc -Itest -c sqlite3.c -o short_sqlite3.o
  $CC $CFLAGS -I. -Isrc -Itest "$here/sqlite3_short.c" src/test_multiplex.c short_sqlite3.o -o threadtest3_short \
    -lpthread -ldl -lm
}

workload() {
  checked "$src/threadtest3_short" "${MILLISECONDS:-300}" >verdict
  cat verdict
  grep -q '^0 errors out of 13 tests$' verdict || die "WRONG: $(tail -n 1 verdict)"
}
main "$@"
