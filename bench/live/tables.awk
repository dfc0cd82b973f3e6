# Markdown tables from the results of run.sh: row, configuration, scale, run, wall, cpu, peak,
# status.
# Ratios are medians over medians, each to the same compiler's own native build at the same scale.

/^#/ { about[substr($1, 2)] = $2; next }
{
  if (!($1 in seen_row)) { seen_row[$1] = 1; rows[++row_count] = $1 }
  key = $1 SUBSEP $2
  if (!(key in scale_of) || $3 > scale_of[key]) scale_of[key] = $3
  key = key SUBSEP $3
  if ($8 != "ok") { trouble[key] = $8; next }
  n = ++count[key]
  wall[key, n] = $5; cpu[key, n] = $6; peak[key, n] = $7
}

# statistics(what, key): sets median, least and most of the runs; false if there are none
function statistics(what, key,    i, j, n, x, sorted) {
  n = count[key]
  if (n == 0 || key in trouble) return 0
  for (i = 1; i <= n; ++i) {
    x = (what == "cpu" ? cpu[key, i] : what == "wall" ? wall[key, i] : peak[key, i]) + 0
    for (j = i; j > 1 && sorted[j - 1] > x; --j) sorted[j] = sorted[j - 1]
    sorted[j] = x
  }
  least = sorted[1]; most = sorted[n]
  median = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
  return 1
}

function median_of(what, row, configuration, scale) {
  return statistics(what, row SUBSEP configuration SUBSEP scale) ? median : 0
}

function native_of(configuration) { return configuration ~ /clang/ ? "native-clang" : "native-gcc" }

# ratio(...): "12.3 (11.9-12.8)" to the native build, or why there is none
function ratio(what, row, configuration,    scale, base, key) {
  scale = scale_of[row, configuration]
  key = row SUBSEP configuration SUBSEP scale
  base = median_of(what, row, native_of(configuration), scale)
  if (!statistics(what, key)) return key in trouble ? trouble[key] : "-"
  if (base == 0) return "-"
  if (count[key] == 1) return sprintf("%.1f", median / base)
  return sprintf("%.1f (%.1f-%.1f)", median / base, least / base, most / base)
}

# native(...): the figure itself
function native(what, row, configuration, divisor,    key) {
  key = row SUBSEP configuration SUBSEP scale_of[row, configuration]
  if (!statistics(what, key)) return key in trouble ? trouble[key] : "-"
  if (count[key] == 1) return sprintf("%.2f", median / divisor)
  return sprintf("%.2f (%.2f-%.2f)", median / divisor, least / divisor, most / divisor)
}

# against_tsan(what, row, compiler): ours by ThreadSanitizer's, 0 if one is missing
function against_tsan(what, row, compiler,    ours, theirs) {
  ours = median_of(what, row, "steward-" compiler, scale_of[row, "steward-" compiler])
  theirs = median_of(what, row, "tsan-" compiler, scale_of[row, "tsan-" compiler])
  return theirs > 0 ? ours / theirs : 0
}

function cell(x) { return x > 0 ? sprintf("%.2f", x) : "-" }

function table_of_ratios(what, unit, divisor,    i, r, c, list, names) {
  split("tsan-gcc steward-gcc tsan-clang steward-clang helgrind drd", list, " ")
  printf "| row | native gcc, %s | native clang, %s | gcc TSan | **Steward, gcc** | clang TSan | " \
    "**Steward, clang** | Helgrind | DRD |\n|---|---|---|---|---|---|---|---|---|\n", unit, unit
  for (i = 1; i <= row_count; ++i) {
    r = rows[i]
    printf "| %s | %s | %s", r, native(what, r, "native-gcc", divisor),
      native(what, r, "native-clang", divisor)
    for (c = 1; c <= 6; ++c) printf " | %s", ratio(what, r, list[c])
    print " |"
  }
}

# summarise(what, compiler): sets geomean, worst and worst_row over the rows that both have
function summarise(what, compiler,    i, x, logs, n) {
  worst = logs = n = 0
  for (i = 1; i <= row_count; ++i) {
    x = against_tsan(what, rows[i], compiler)
    if (x == 0) continue
    logs += log(x); ++n
    if (x > worst) { worst = x; worst_row = rows[i] }
  }
  geomean = n > 0 ? exp(logs / n) : 0
  return n
}

# rows_above(what, compiler, limit): their names with the ratio, or "none"
function rows_above(what, compiler, limit,    i, x, text) {
  for (i = 1; i <= row_count; ++i) {
    x = against_tsan(what, rows[i], compiler)
    if (x > limit) text = text sprintf("%s%s %.2f", text == "" ? "" : ", ", rows[i], x)
  }
  return text == "" ? "none" : text
}

function summary_line(title, what, compiler, worst_allowed) {
  if (!summarise(what, compiler)) return
  printf "| %s | %.2f | %.2f (%s) | %s | %s |\n", title, geomean, worst, worst_row,
    geomean <= 1 && worst <= worst_allowed ? "met" : "**missed**",
    rows_above(what, compiler, worst_allowed)
}

END {
  printf "%s. %s.\n%s.\nLoad before the run (1, 5, 15 minutes): %s. ", about["date"],
    about["machine"], about["tools"], about["load"]
  printf "Runs: %d; threads of a kernel: %d.\n", about["runs"], about["threads"]

  print "\n**Steward by ThreadSanitizer** (below 1: Steward is faster, or smaller)\n"
  print "| | geometric mean | worst row | target | rows above it |\n|---|---|---|---|---|"
  summary_line("processor time, clang builds: mean at most 1, no row above 1.5", "cpu", "clang", 1.5)
  summary_line("processor time, gcc builds: mean at most 1, no row above 1.5", "cpu", "gcc", 1.5)
  summary_line("peak memory, clang builds: no row above 1", "peak", "clang", 1)
  summary_line("peak memory, gcc builds: no row above 1", "peak", "gcc", 1)

  print "\n| row | time, clang | time, gcc | memory, clang | memory, gcc |\n|---|---|---|---|---|"
  for (i = 1; i <= row_count; ++i) {
    r = rows[i]
    printf "| %s | %s | %s | %s | %s |\n", r, cell(against_tsan("cpu", r, "clang")),
      cell(against_tsan("cpu", r, "gcc")), cell(against_tsan("peak", r, "clang")),
      cell(against_tsan("peak", r, "gcc"))
  }

  printf "\n**Processor time**, user and system: of the native builds in seconds, of the others as a\n" \
    "multiple of the same compiler's native build, median (min-max). Helgrind and DRD do %d%% of the\n" \
    "work, and are compared with the native build doing the same.\n\n", about["valgrind_scale"]
  table_of_ratios("cpu", "s", 1)
  print "\n**Wall time**, likewise.\n"
  table_of_ratios("wall", "s", 1)
  print "\n**Peak memory**, resident, likewise; of the native builds in MB.\n"
  table_of_ratios("peak", "MB", 1024)
}
