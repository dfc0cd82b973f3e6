#!/usr/bin/env bash
# redis: a server with two I/O threads that also read, an append-only file (its fsync is another thread's), lazy freeing,
# a rewrite and a snapshot by forked children, under redis-benchmark with two threads; then a restart from the file.
. "$(dirname "$0")/common.sh"
package=redis
needs=(pkg-config)

# libc's malloc: the detectors stand in front of that one. -O2 instead of what the Makefile adds for jemalloc.
build() {
  make -j "$jobs" -C src MALLOC=libc USE_SYSTEMD=no BUILD_TLS=no OPTIMIZATION=-O2 CC="$CC" CXX="$CXX" \
    redis-server redis-cli redis-benchmark
}

cli() { "$src/src/redis-cli" -p "$port" "$@"; }
expect() { # expect ANSWER COMMAND...
  local want=$1 answer
  shift
  answer=$(cli "$@")
  [ "$answer" = "$want" ] || die "WRONG: $*: '$answer', not '$want'"
}
start() {
  checked "$src/src/redis-server" --port "$port" --bind 127.0.0.1 --io-threads 2 --io-threads-do-reads yes --save '' \
    --appendonly yes --lazyfree-lazy-user-del yes --lazyfree-lazy-server-del yes --daemonize no &
  server=$!
  for _ in $(seq 600); do
    [ "$(cli ping 2>/dev/null)" = PONG ] && return
    sleep 0.1
  done
  die "FAILED: the server does not answer"
}
idle() { # idle FIELD: until the child is done
  for _ in $(seq 600); do
    cli info persistence | grep -q "^$1:0" && return
    sleep 0.1
  done
  die "FAILED: $1 stays"
}

workload() {
  local port server
  port=$(port)
  start
  checked "$src/src/redis-benchmark" -p "$port" -q -n "${ROUNDS:-2000}" -c 20 -P 4 --threads 2 -d 200 \
    -t ping,set,get,incr,lpush,rpop,sadd,hset,zadd,mset
  expect "${ROUNDS:-2000}" get counter:__rand_int__
  cli info stats | grep -q '^io_threaded_reads_processed:[1-9]' || die "WRONG: the I/O threads had nothing to do"
  expect OK set greeting hello
  expect "done" eval 'for i = 1, 20000 do redis.call("rpush", "long", i) redis.call("hset", "wide", i, i) end
    return "done"' 0
  expect 20000 llen long
  cli bgrewriteaof
  idle aof_rewrite_in_progress
  cli bgsave
  idle rdb_bgsave_in_progress
  expect 2 unlink long wide
  expect 0 exists long
  cli shutdown nosave
  wait "$server"
  start
  expect hello get greeting
  expect "${ROUNDS:-2000}" get counter:__rand_int__
  expect OK flushall async
  expect 0 dbsize
  cli shutdown nosave
  wait "$server"
}
main "$@"
