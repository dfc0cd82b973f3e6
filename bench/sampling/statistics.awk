# For the other scripts: results of bench/live/run.sh as ratios to native-clang. Lines: row,
# configuration, scale, run, wall, cpu, peak, status. A file's threads are in its #threads line.

/^#/ && $1 != "#trials" { about[substr($1, 2)] = $2; next }

function take(group,    key) {
  if (!(($1) in seen_row)) { seen_row[$1] = 1; rows[++row_count] = $1 }
  key = group SUBSEP $1 SUBSEP $2
  if ($8 != "ok") { trouble[key] = $8; return }
  ++count[key]
  figure["wall", key, count[key]] = $5
  figure["cpu", key, count[key]] = $6
  figure["peak", key, count[key]] = $7
}

# statistics(...): sets median, mean, least and most of the runs; false if there are none
function statistics(what, group, row, configuration,    key, i, j, n, x, sorted) {
  key = group SUBSEP row SUBSEP configuration
  n = count[key]
  if (n == 0 || key in trouble) return 0
  for (i = 1; i <= n; ++i) {
    x = figure[what, key, i] + 0
    for (j = i; j > 1 && sorted[j - 1] > x; --j) sorted[j] = sorted[j - 1]
    sorted[j] = x
  }
  mean = 0
  for (i = 1; i <= n; ++i) mean += sorted[i] / n
  least = sorted[1]; most = sorted[n]
  median = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
  return 1
}

# ratio(...): to the native build, and sets low and high; 0 if there is none
function ratio(what, group, row, configuration,    base) {
  if (!statistics(what, group, row, "native-clang") || median == 0) return 0
  base = median
  if (!statistics(what, group, row, configuration)) return 0
  low = least / base; high = most / base; ratio_of_mean = mean / base
  return median / base
}

function cell(what, group, row, configuration,    x) {
  x = ratio(what, group, row, configuration)
  if (x == 0) {
    return (group SUBSEP row SUBSEP configuration) in trouble ? \
      trouble[group, row, configuration] : "-"
  }
  return sprintf("%.2f (%.2f-%.2f)", x, low, high)
}

# geomean(...) over the rows, of medians or, if of_means, of means; 0 if a row has none
function geomean(what, group, configuration, of_means,    i, x, logs, n) {
  for (i = 1; i <= row_count; ++i) {
    x = ratio(what, group, rows[i], configuration)
    if (x == 0) return 0
    logs += log(of_means ? ratio_of_mean : x); ++n
  }
  return n > 0 ? exp(logs / n) : 0
}
