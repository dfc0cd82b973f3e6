#!/usr/bin/env perl
# One client of memcached.sh: memcached_client.pl PORT NUMBER ROUNDS
# Works on keys of its own and on shared ones; dies at the first reply that is not possible.
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $id, $rounds) = @ARGV;
my $s;
for (1 .. 600) {
  $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") and last;
  select undef, undef, undef, 0.1;
}
die "no connection\n" unless $s;
$s->autoflush(1);

sub reply {
  my $line = <$s>;
  die "client $id: connection closed\n" unless defined $line;
  $line =~ s/\r\n//;
  return $line;
}

sub ask {
  print $s "$_[0]\r\n";
  return reply();
}

sub expect {
  my ($question, $want) = @_;
  my $answer = ask($question);
  die "$question: '$answer', not '$want'\n" unless $answer =~ /^$want$/;
}

sub get {    # the value, or nothing: an item may have been evicted
  my $key = shift;
  my $head = ask("get $key");
  return if $head eq "END";
  my ($n) = $head =~ /^VALUE \S+ \d+ (\d+)$/ or die "get $key: '$head'\n";
  read $s, my $value, $n + 2;
  reply() eq "END" or die "get $key: no END\n";
  return substr $value, 0, $n;
}

srand $id;
ask("add counter 0 0 1\r\n0") =~ /STORED/ or die "add\n";
for my $i (1 .. $rounds) {
  my $own = "own-$id-" . ($i % 500);
  my $v = "$id-$i-" . "x" x (10 + int rand 4000);
  expect("set $own 0 0 " . length($v) . "\r\n$v", "STORED");
  if ($i % 3 == 0) {
    my $g = get($own);
    die "client $id: its own key is wrong\n" if defined $g && $g ne $v;
  }
  expect("incr counter 1", "\\d+|NOT_FOUND") if $i % 4 == 0;
  expect("set shared-" . int(rand 20) . " 0 0 5\r\nhello", "STORED") if $i % 5 == 0;
  if ($i % 7 == 0) {
    my $g = get("shared-" . int rand 20);
    die "client $id: a shared key is wrong\n" if defined $g && $g ne "hello";
  }
  expect("delete own-$id-" . int(rand 500), "DELETED|NOT_FOUND") if $i % 11 == 0;
  expect("touch shared-" . int(rand 20) . " 100", "TOUCHED|NOT_FOUND") if $i % 13 == 0;
  next if $i % 500;
  for my $what ("stats", "stats items", "stats slabs", "stats settings") {
    print $s "$what\r\n";
    1 while reply() ne "END";
  }
}
