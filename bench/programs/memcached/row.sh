# memcached: two threads, a store of 100 MB, and a client (load.c) that is not measured. With more work than the usual
# requests are more, not the store: it is what a service keeps in memory. Its races are known (docs/found.md): no tool spends time on
# telling them. Helgrind does not come to the end of a quarter of the work in 200 seconds.
# shellcheck shell=bash disable=SC2034
row_script=$ROW/../memcached.sh
row_skips='helgrind drd'
row_sources=("$row_script" "$ROW/../common.sh" "$ROW/load.c")
row_build() {
  "$row_script" --build "$1"
  gcc -O2 -Wall -Wextra "$ROW/load.c" -o "$1/load"
}
# The client waits until the server listens, and ends it. The limits are what Valgrind leaves of them.
row_command() {
  local items=$(($2 < 100 ? $2 * 800 : 80000))
  ulimit -n 1036
  row_socket=$(mktemp -u /tmp/memcached-row.XXXXXX)
  row_answers=$1/answers
  "$1/load" "$row_socket" "$items" $(($2 * 4000)) >"$row_answers" </dev/null 9>&- &
  command=("$1/src/memcached" -u "$(id -un)" -s "$row_socket" -t 2 -m 256 -c 1024 -A)
  export TSAN_OPTIONS="exitcode=0 report_bugs=0 symbolize=0"
}
row_output() {
  rm -f "$row_socket"
  cat "$row_answers"
}
row_is_right() { [ "$(cat "$row_answers")" = right ]; }
