#!/usr/bin/env bash
# memcached: two worker threads, four clients that work at the same time on keys of their own and on shared ones,
# with small memory, so that items are evicted and moved between the queues; then statistics and shutdown.
. "$(dirname "$0")/common.sh"
package=memcached
needs=(libevent-dev)

build() { ./configure --disable-docs && make -j "$jobs" memcached; }

workload() {
  local port id pids=() server rounds=${ROUNDS:-2500}
  port=$(port)
  checked "$src/memcached" -u "$(id -un)" -l 127.0.0.1 -p "$port" -U 0 -t 2 -m 8 -A -o slab_automove=1 &
  server=$!
  for id in 1 2 3 4; do
    perl "$here/memcached_client.pl" "$port" $id "$rounds" &
    pids+=($!)
  done
  for id in "${pids[@]}"; do wait "$id" || die "WRONG: a client got a wrong reply"; done
  exec 8<>"/dev/tcp/127.0.0.1/$port"
  printf 'shutdown\r\n' >&8
  wait "$server"
}
main "$@"
