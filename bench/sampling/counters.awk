# PACER's Table 3 from live runs. Lines: row, share sampled, joins|copies|all, sampling slow and
# fast, not sampling slow and fast, share that is fast when not sampling.

BEGIN {
  print "### Table 3, live\n"
  print "Operations on clocks at 3%: slow is O(n) in the threads, fast O(1).\n"
  print "| row | work sampled | | sampling: slow | fast | not sampling: slow | fast | fast when not sampling |"
  print "|---|---|---|---|---|---|---|---|"
}
{
  printf "| %s | %s | VC %s | %s | %s | %s | %s | %s |\n", $1, $2, $3 == "all" ? "joins and copies" : $3,
    $4, $5, $6, $7, $8
  if ($3 == "all") { ++n; if ($8 + 0 > 99) ++good }
}
END { printf "\nOver 99%% of joins and copies O(1) while not sampling: in %d of %d rows (target: all): **%s**.\n", \
  good, n, good == n ? "met" : "missed" }
