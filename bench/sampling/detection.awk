# Detection rates against sampling rates, with exact binomial bounds. Lines: program, race,
# once|often, sites, rate, found, trials. The rate `literace` is for comparison, and not judged.

/^#/ { next }
{
  key = $1 "\t" $2
  if (!(key in kind)) { keys[++key_count] = key; kind[key] = $3; sites[key] = $4 }
  if (!($5 in seen_rate)) { seen_rate[$5] = 1; rates[++rate_count] = $5 }
  found[key, $5] = $6; trials[key, $5] = $7
}

# tail(k, n, p, up): P(X >= k) or P(X <= k) for X binomial
function tail(k, n, p, up,    i, log_term, sum) {
  if (p >= 1) return up ? 1 : k >= n
  log_term = n * log(1 - p)
  for (i = 0; i <= n; ++i) {
    if (up ? i >= k : i <= k) sum += exp(log_term)
    if (i < n) log_term += log((n - i) / (i + 1)) + log(p / (1 - p))
  }
  return sum < 1 ? sum : 1
}

# How likely a result at least as far off would be, were the rate the probability; two-sided.
function likelihood(k, n, p,    a, b, x) {
  a = tail(k, n, p, 1); b = tail(k, n, p, 0)
  x = 2 * (a < b ? a : b)
  return x < 1 ? x : 1
}

# interval(k, n): Clopper and Pearson's 95%; sets low and high
function interval(k, n) {
  low = k > 0 ? bound(k, n, 0, k / n, 1) : 0
  high = k < n ? bound(k, n, k / n, 1, 0) : 1
}

# Where between a and b the tail, which grows or falls from one to the other, is 2.5%.
function bound(k, n, a, b, up,    i, m) {
  for (i = 0; i < 40; ++i) {
    m = (a + b) / 2
    if ((tail(k, n, m, up) < 0.025) == up) a = m; else b = m
  }
  return a
}

function lines(which,    i, r, k, n, p, parts, x) {
  for (i = 1; i <= key_count; ++i) {
    if (kind[keys[i]] != which) continue
    split(keys[i], parts, "\t")
    printf "| %s | %s | %s", parts[1], parts[2], sites[keys[i]]
    for (r = 1; r <= rate_count; ++r) {
      k = found[keys[i], rates[r]]; n = trials[keys[i], rates[r]]; p = rates[r] / 100
      if (n == 0) { printf " | -"; continue }
      interval(k, n)
      printf " | %.1f%% (%.0f-%.0f)", 100 * k / n, 100 * low, 100 * high
      if (which != "once") continue
      sum[r] += k / n; ++sums[r]
      if (rates[r] == "literace") continue
      x = likelihood(k, n, p)
      ++cells
      if (x < 0.05) { printf " *"; ++outside }
      if (x < worst || worst == "") { worst = x; worst_at = parts[2] " at " rates[r] "%" }
    }
    print " |"
  }
}

function head(    r) {
  printf "| program | race | sites"
  for (r = 1; r <= rate_count; ++r)
    printf " | %s", rates[r] == "literace" ? "LiteRace" : rates[r] "%"
  printf " |\n|---|---|---"
  for (r = 1; r <= rate_count; ++r) printf "|---"
  print "|"
}

END {
  print "### Detection in proportion\n"
  print "Runs in which a race that **happens once a run** was reported, and the 95% interval (Clopper and"
  print "Pearson) of its probability; `*`: the rate is outside it.\n"
  head()
  lines("once")
  printf "| **mean** | | "
  for (r = 1; r <= rate_count; ++r) printf " | **%.1f%%**", sums[r] ? 100 * sum[r] / sums[r] : 0
  print " |"
  printf "\n%d of %d cells are outside their 95%% interval (%.1f expected by chance were all in proportion).\n", \
    outside, cells, cells * 0.05
  printf "The least likely: %s, p = %.2g, which among %d cells %s (limit 0.01 / cells): **%s**.\n", worst_at,
    worst, cells, worst * cells < 0.01 ? "is not chance" : "is chance",
    worst * cells < 0.01 ? "missed" : "met"
  print "\nA race that **happens many times a run** is found more often than the rate, for each time counts:\n"
  head()
  lines("often")
  print ""
}
