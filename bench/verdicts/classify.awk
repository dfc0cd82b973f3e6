# One verdict a program, from what tests/programs/run.sh says of it.
#   awk -F'\t' -f classify.awk    reads: status, program, text, race|none expected, exit code
#                                 prints: program, class, text
# The report decides, not the exit code: a tool that exits with 66 for another finding, or prints a
# race and lets the program's own code stand, is judged by the races it printed.

function class_of(status, text, expected, own_code,    extra, lacking, code) {
  if (status == "pass") return "right"
  if (status == "skip") return "skipped"
  extra = text ~ /reported, not expected/
  lacking = text ~ /expected, not reported/
  # First: the child of a program that forks may fail because of the report.
  if (expected == "none" && extra) return "false"
  if (text ~ /^ *hangs;|crashes;|does not compile|standard output is not|cannot read|parse error/)
    return "failed"
  if (match(text, /exit code [0-9]+/)) {
    code = substr(text, RSTART + 10, RLENGTH - 10) + 0
    if (code != own_code && code != 66) return "failed"
  }
  if (expected == "none") return "right"
  if (extra && lacking) return "lines"
  if (lacking) return "missed"
  if (extra) return "false"
  return "right"
}

{ printf "%s\t%s\t%s\n", $2, class_of($1, $3, $4, $5), $3 }
