# results.tsv (program, what it is, configuration, seconds, counter, value, ...) as tables.
{
  if (!($1 in seen)) { seen[$1] = 1; programs[++n] = $1; what[$1] = $2 }
  k = $1 SUBSEP $3
  if (!(k in time) || $4 < time[k]) time[k] = $4
  for (i = 5; i < NF; i += 2) value[k, $i] = $(i + 1)
}
function v(p, c, key) { return value[p SUBSEP c, key] + 0 }
function ratio(a, b) { return b > 0 ? sprintf("%.1f", a / b) : "-" }
function share(p, c,   all) {
  all = v(p, c, "lockset_accesses")
  return all > 0 ? sprintf("%.1f%%", 100 * v(p, c, "lockset_checked") / all) : "-"
}
END {
  split("read write read-64 write-64", c, " ")
  print "| program | what it does | plain, s | FastTrack | read | write | read, blocks | write, blocks |"
  print "|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= n; ++i) {
    p = programs[i]; base = time[p, "plain"]
    line = sprintf("| %s | %s | %.2f | %s |", p, what[p], base, ratio(time[p, "fasttrack"], base))
    for (j = 1; j <= 4; ++j) line = line " " ratio(time[p, c[j]], base) " |"
    print line
  }
  print ""
  print "| program | checked: read | write | read, blocks | write, blocks | blocks allocated | escaped: read | write | bytes a block: read | write | read, blocks | write, blocks |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= n; ++i) {
    p = programs[i]
    line = "| " p " |"
    for (j = 1; j <= 4; ++j) line = line " " share(p, c[j]) " |"
    line = line sprintf(" %d | %d | %d |", v(p, "read", "lockset_objects"),
                        v(p, "read", "lockset_escaped"), v(p, "write", "lockset_escaped"))
    for (j = 1; j <= 4; ++j) {
      bytes = v(p, c[j], "lockset_bytes") / v(p, c[j], "lockset_objects")
      line = line sprintf(bytes < 10 ? " %.1f |" : " %.0f |", bytes)
    }
    print line
  }
}
