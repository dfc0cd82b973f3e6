#!/usr/bin/env perl
# The races of runs of the real programs, one line a pair of source lines, and which runs reported it.
#   bench/programs/races.pl build/real/memcached/{clang-tsan,steward-clang}/run
# An access is named by its innermost frame in the program's own source. Reads step.N/report.PID
# (ThreadSanitizer's text) and step.N/races.json (Steward's).
use strict;
use warnings;
use JSON::PP;

my %seen;
die "usage: races.pl RUN-FOLDER...\n" unless @ARGV;

# note(run, "kind function file:line", ...)
sub note {
  my ($run, @sides) = @_;
  my $pair = join "  |  ", sort @sides;
  $seen{$pair}{$run}++;
}

sub side {
  my ($kind, @frames) = @_;
  for my $f (@frames) {
    my ($function, $file, $line) = @$f;
    next unless ($file // "") =~ m{/src/(.*)};
    my $source = $1;
    $function =~ s/\.(constprop|isra|part|cold)\b.*//;
    return sprintf "%s %s %s:%s", $kind, $function, $source, $line // "?";
  }
  return "$kind " . ($frames[0] ? $frames[0][0] // "?" : "(stack lost)");
}

sub steward {
  my ($run, $text) = @_;
  my $report = eval { decode_json($text) } or return;
  for my $race (@{$report->{races}}) {
    my @sides = map {
      side(($_->{atomic} ? "atomic " : "") . $_->{kind}, map { [@$_{qw(function file line)}] } @{$_->{stack}})
    } @{$race->{accesses}};
    note($run, @sides);
  }
}

sub tsan {
  my ($run, $text) = @_;
  for my $report (split /^={10,}\n/m, $text) {
    next unless $report =~ /^WARNING: ThreadSanitizer: data race/m;
    my @sides;
    while ($report =~ /^  (?:Previous )?((?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite)) of size .*\n((?:    .*\n)*)/mg) {
      my ($kind, $stack) = (lc $1, $2);
      my @frames;
      push @frames, [$1, $2, $3] while $stack =~ /^    #\d+ (\S+).*? (\/[^\s:]+)(?::(\d+))?(?::\d+)? /mg;
      push @sides, side($kind, @frames);
    }
    note($run, @sides);
  }
}

my @runs;
for my $folder (@ARGV) {
  (my $run = $folder) =~ s{.*/([^/]+)/run/?$}{$1};
  push @runs, $run;
  my @json = glob "$folder/step.*/races.json";
  for my $file (@json ? @json : glob "$folder/step.*/report.*") {
    open my $in, "<", $file or die "$file: $!\n";
    local $/;
    my $text = <$in>;
    @json ? steward($run, $text) : tsan($run, $text);
  }
}
for my $pair (sort { (%{$seen{$b}} <=> %{$seen{$a}}) || $a cmp $b } keys %seen) {
  printf "%s  %s\n", join(" ", map { sprintf "%3s", $seen{$pair}{$_} // "-" } @runs), $pair;
}
printf "pairs: %s\n", join ", ", map { my $r = $_; "$r " . grep({ $seen{$_}{$r} } keys %seen) } @runs;
