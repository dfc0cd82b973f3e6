# After statistics.awk. Tables of what each rate costs; with -v what=cpu or peak, the points of its
# plot instead: series, rate, ratio, whether it is the mean.

!/^#/ {
  take("")
  if ($2 ~ /^pacer-/ && !($2 in seen_rate)) { seen_rate[$2] = 1; rates[++rate_count] = substr($2, 7) }
}

function table(what,    i, r) {
  printf "| row | native"
  for (r = 1; r <= rate_count; ++r) printf " | %s%%", rates[r]
  printf " | FastTrack | clang TSan |\n|---|---"
  for (r = 1; r <= rate_count; ++r) printf "|---"
  print "|---|---|"
  for (i = 1; i <= row_count; ++i) {
    printf "| %s | ", rows[i]
    if (statistics(what, "", rows[i], "native-clang")) {
      printf what == "peak" ? "%.1f MB" : "%.2f s", what == "peak" ? median / 1024 : median
    } else printf "-"
    for (r = 1; r <= rate_count; ++r) printf " | %s", cell(what, "", rows[i], "pacer-" rates[r])
    printf " | %s | %s |\n", cell(what, "", rows[i], "steward-clang"),
      cell(what, "", rows[i], "tsan-clang")
  }
  printf "| **geometric mean** | "
  for (r = 1; r <= rate_count; ++r) printf " | **%.2f**", geomean(what, "", "pacer-" rates[r])
  printf " | **%.2f** | **%.2f** |\n", geomean(what, "", "steward-clang"),
    geomean(what, "", "tsan-clang")
  printf "| of the runs' means | "
  for (r = 1; r <= rate_count; ++r) printf " | %.2f", geomean(what, "", "pacer-" rates[r], 1)
  printf " | %.2f | %.2f |\n", geomean(what, "", "steward-clang", 1),
    geomean(what, "", "tsan-clang", 1)
}

function target(title, what, rate, limit, paper,    x) {
  x = geomean(what, "", "pacer-" rate)
  if (x > 0) printf "| %s at %s%% | %.2f | %.2f | %s | %s |\n", title, rate, limit, x, paper,
    x <= limit ? "met" : "**missed**"
}

# line(what): least squares of ratio against rate through the geometric means
function line(what,    r, x, y, sx, sy, sxx, sxy, n, slope, from, sum, centre, total, e) {
  for (r = 1; r <= rate_count; ++r) {
    x = rates[r] / 100; y = geomean(what, "", "pacer-" rates[r])
    if (y == 0) return ""
    sx += x; sy += y; sxx += x * x; sxy += x * y; ++n
  }
  if (n < 3) return ""
  slope = (n * sxy - sx * sy) / (n * sxx - sx * sx); from = (sy - slope * sx) / n; centre = sy / n
  for (r = 1; r <= rate_count; ++r) {
    y = geomean(what, "", "pacer-" rates[r])
    e = y - from - slope * rates[r] / 100
    sum += e * e; total += (y - centre) ^ 2
  }
  return sprintf("%.2f + %.2f x rate (share of the variance explained: %.3f)", from, slope,
    total > 0 ? 1 - sum / total : 1)
}

function points(what,    i, r, x) {
  for (i = 0; i <= row_count; ++i)
    for (r = 1; r <= rate_count; ++r) {
      x = i == 0 ? geomean(what, "", "pacer-" rates[r]) : ratio(what, "", rows[i], "pacer-" rates[r])
      if (x > 0)
        printf "%s\t%s\t%.4f\t%s\n", i == 0 ? "geometric mean" : rows[i], rates[r], x, i == 0 ? "mean" : ""
    }
  if ((x = geomean(what, "", "steward-clang")) > 0) printf "=FastTrack\t\t%.4f\n", x
  if ((x = geomean(what, "", "tsan-clang")) > 0) printf "=clang TSan\t\t%.4f\n", x
}

END {
  if (what != "") { points(what); exit }
  printf "### What a rate costs\n\n%s. %s.\n%s.\nLoad before the run (1, 5, 15 minutes): %s. Runs: %d.\n\n",
    about["date"], about["machine"], about["tools"], about["load"], about["runs"]
  print "| geometric mean, multiple of native | target | measured | the paper | |\n|---|---|---|---|---|"
  target("processor time", "cpu", 0, 1.10, "1.33")
  target("processor time", "cpu", 1, 1.15, "1.52")
  target("processor time", "cpu", 3, 1.25, "1.86")
  target("peak memory", "peak", 1, 1.15, "-")
  printf "\nA straight line through the means: processor time %s; peak memory %s.\n", line("cpu"),
    line("peak")
  print "\n**Processor time**, multiple of the native build, median (min-max):\n"
  table("cpu")
  print "\n![rate against slowdown](rate-cpu.svg)\n\n**Peak memory**, likewise:\n"
  table("peak")
  print "\n![rate against memory](rate-peak.svg)\n"
}
