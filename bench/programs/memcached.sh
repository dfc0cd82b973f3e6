#!/usr/bin/env bash
# memcached: two worker threads, four clients that work at the same time on keys of their own and on shared ones,
# with small memory, so that items are evicted and moved between the queues; then statistics and shutdown.
. "$(dirname "$0")/common.sh"
package=memcached
needs=(libevent-dev autoconf automake)

# --disable-extstore would take threads away; it stays. -Werror is not for other compilers' warnings.
build() {
  { [ -x configure ] || autoreconf -fi; } && ./configure --disable-docs && sed -i 's/-Werror//' Makefile &&
    make -j "$jobs" memcached
}

client() {
  perl -MIO::Socket::INET -e '
    my ($port, $id, $rounds) = @ARGV;
    my $s;
    for (1 .. 600) { $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") and last; select undef, undef, undef, 0.1 }
    die "no connection\n" unless $s;
    $s->autoflush(1);
    sub ask { my $q = shift; print $s "$q\r\n"; my $a = <$s>; die "connection closed after: $q\n" unless defined $a;
      $a =~ s/\r\n//; return $a }
    sub expect { my ($q, $want) = @_; my $a = ask($q); die "$q: \"$a\", not \"$want\"\n" unless $a =~ /^$want$/ }
    sub get { my $k = shift; my $a = ask("get $k"); return if $a eq "END"; my ($n) = $a =~ /^VALUE \S+ \d+ (\d+)$/ or die "get $k: $a\n";
      my $v; read $s, $v, $n + 2; my $e = <$s>; $e eq "END\r\n" or die "get $k: no END\n"; return substr $v, 0, $n }
    srand $id;
    ask("add counter 0 0 1\r\n0") =~ /STORED/ or die;
    for my $i (1 .. $rounds) {
      my $v = "$id-$i-" . "x" x (10 + int rand 4000);
      my $n = length $v;
      expect("set own-$id-" . ($i % 500) . " 0 0 $n\r\n$v", "STORED");
      if ($i % 3 == 0) { my $g = get("own-$id-" . ($i % 500)); die "own key of client $id is wrong\n" if defined $g && $g ne $v }
      if ($i % 4 == 0) { expect("incr counter 1", "\\d+|NOT_FOUND") }
      if ($i % 5 == 0) { expect("set shared-" . int(rand 20) . " 0 0 5\r\nhello", "STORED") }
      if ($i % 7 == 0) { my $g = get("shared-" . int rand 20); die "shared key is wrong\n" if defined $g && $g ne "hello" }
      if ($i % 11 == 0) { expect("delete own-$id-" . int(rand 500), "DELETED|NOT_FOUND") }
      if ($i % 13 == 0) { expect("touch shared-" . int(rand 20) . " 100", "TOUCHED|NOT_FOUND") }
      if ($i % 500 == 0) { for my $q ("stats", "stats items", "stats slabs", "stats settings") {
        print $s "$q\r\n"; while (1) { my $a = <$s>; die "closed\n" unless defined $a; last if $a eq "END\r\n" } } }
    }' "$@"
}

workload() {
  local port id pids=() server rounds=${ROUNDS:-2500}
  port=$(port)
  checked "$src/memcached" -u "$(id -un)" -l 127.0.0.1 -p "$port" -U 0 -t 2 -m 8 -A -o slab_automove=1 &
  server=$!
  for id in 1 2 3 4; do
    client "$port" $id "$rounds" &
    pids+=($!)
  done
  for id in "${pids[@]}"; do wait "$id" || die "WRONG: a client got a wrong reply"; done
  perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$ARGV[0]") or die; print $s "shutdown\r\n"; <$s>' "$port"
  wait "$server"
}
main "$@"
