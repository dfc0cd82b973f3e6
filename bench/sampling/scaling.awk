# After statistics.awk, over one file for each number of threads: slowdown against threads.

!/^#/ {
  group = about["threads"]
  if (!(group in seen_group)) { seen_group[group] = 1; groups[++group_count] = group }
  take(group)
}

function table(what,    i, g, c, list, names) {
  split("steward-clang pacer-1 tsan-clang", list, " ")
  split("FastTrack,PACER 1%,clang TSan", names, ",")
  printf "| row | |"
  for (g = 1; g <= group_count; ++g) printf " %s threads |", groups[g]
  printf "\n|---|---|"
  for (g = 1; g <= group_count; ++g) printf "---|"
  print ""
  for (i = 1; i <= row_count; ++i)
    for (c = 1; c <= 3; ++c) {
      printf "| %s | %s |", rows[i], names[c]
      for (g = 1; g <= group_count; ++g) printf " %s |", cell(what, groups[g], rows[i], list[c])
      print ""
    }
}

END {
  print "### Many threads\n\n**Processor time**, multiple of the native build with as many threads:\n"
  table("cpu")
  print "\n**Peak memory**, likewise:\n"
  table("peak")
  print ""
}
