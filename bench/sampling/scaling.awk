# After statistics.awk, over one file for each number of threads: slowdown against threads. With
# -v what=cpu or peak, the points of its plot instead: series, threads, ratio, whether it is a mean.

!/^#/ {
  group = about["threads"]
  if (!(group in seen_group)) { seen_group[group] = 1; groups[++group_count] = group }
  take(group)
}

function table(what,    i, g, c) {
  printf "| row | |"
  for (g = 1; g <= group_count; ++g) printf " %s threads |", groups[g]
  printf "\n|---|---|"
  for (g = 1; g <= group_count; ++g) printf "---|"
  print ""
  for (i = 1; i <= row_count; ++i) {
    printf "| %s | native |", rows[i]
    for (g = 1; g <= group_count; ++g) {
      if (!statistics(what, groups[g], rows[i], "native-clang")) printf " - |"
      else if (what == "peak") printf " %.1f MB |", median / 1024
      else printf " %.2f s |", median
    }
    print ""
    for (c = 1; c <= tool_count; ++c) {
      printf "| %s | %s |", rows[i], names[c]
      for (g = 1; g <= group_count; ++g) printf " %s |", cell(what, groups[g], rows[i], tools[c])
      print ""
    }
  }
  for (c = 1; c <= tool_count; ++c) {
    printf "| **geometric mean** | %s |", names[c]
    for (g = 1; g <= group_count; ++g) printf " **%.2f** |", geomean(what, groups[g], tools[c])
    print ""
  }
}

function points(what,    i, g, c, x) {
  for (i = 0; i <= row_count; ++i)
    for (c = 1; c <= tool_count; ++c)
      for (g = 1; g <= group_count; ++g) {
        x = i == 0 ? geomean(what, groups[g], tools[c]) : ratio(what, groups[g], rows[i], tools[c])
        if (x > 0) printf "%s\t%d\t%.4f\t%s\n", names[c] (i == 0 ? "" : ", " rows[i]), groups[g], x, i == 0 ? "mean" : ""
      }
}

END {
  tool_count = split("steward-clang pacer-1 tsan-clang", tools, " ")
  split("FastTrack,PACER 1%,clang TSan", names, ",")
  if (what != "") { points(what); exit }
  printf "### Many threads\n\n%s. %s.\n%s.\nLoad before the last run (1, 5, 15 minutes): %s. Runs: %d.\n\n",
    about["date"], about["machine"], about["tools"], about["load"], about["runs"]
  print "**Processor time**, multiple of the native build with as many threads, median (min-max):\n"
  table("cpu")
  print "\n![threads against slowdown](threads-cpu.svg)\n\n**Peak memory**, likewise:\n"
  table("peak")
  print "\n![threads against memory](threads-peak.svg)\n"
}
