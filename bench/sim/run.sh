#!/usr/bin/env bash
# The RADISH paper's figures on recorded programs (bench/record/programs.sh): tables into
# docs/simulate.md, SVG into docs/figures/.
#   bench/sim/run.sh BIN_DIR [TRACE...]     more traces go behind those
set -euo pipefail

bin=$(cd "${1:?usage: bench/sim/run.sh BIN_DIR [TRACE...]}" && pwd)
shift
more=()
for t in "$@"; do more+=("$(realpath "$t")"); done
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$root/build/bench/sim
mkdir -p "$dir"
cd "$dir"

mapfile -t traces < <("$root/bench/record/programs.sh" "$bin/steward" "$root/build/bench/record")
"$bin/steward" simulate "${traces[@]}" "${more[@]}" --set run.sample=50000 --format csv --figures "$root/docs/figures" \
  >results.csv || [ $? = 66 ]

# Columns by name; a row is a trace.
table() { # TITLE AWK_PROGRAM
  printf '%s\n\n' "$1"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) col[$i] = i; next }
    { n = split($1, path, "/"); name = path[n]; sub(/\.trace$/, "", name)
      if (!(name in seen)) { seen[name] = 1; order[++names] = name } }
    function field(c) { return $(col[c]) }
    function pct(o) { return sprintf("%.1f%%", 100 * o) }
    '"$2" results.csv
  printf '\n'
}
sweep() { # KEY
  echo '{ if ($3 == "'"$1"'" && $2 == "radish") {
      if (!($4 in known)) { known[$4] = 1; values[++n_values] = $4 }
      over[name, $4] = $(col["overhead"]) } }
    END { line = "| |"; rule = "|---|"
      for (i = 1; i <= n_values; ++i) { line = line " " values[i] " |"; rule = rule "---:|" }
      print line; print rule
      for (k = 1; k <= names; ++k) { line = "| " order[k] " |"
        for (i = 1; i <= n_values; ++i) line = line " " pct(over[order[k], values[i]]) " |"
        print line } }'
}
{
  printf '\n'
  table "**Figure 7**, overhead over no detection ([plot](figures/figure7.svg)):" '
    { if ($3 == "") over[name, $2] = $(col["overhead"]) }
    END { print "| | FastTrack | RADISH | RADISH in % of FastTrack |"; print "|---|---:|---:|---:|"
      for (k = 1; k <= names; ++k) { f = over[order[k], "fasttrack"]; r = over[order[k], "radish"]
        printf "| %s | %s | %s | %.1f |\n", order[k], pct(f), pct(r), 100 * r / f } }'
  table "**Figure 8**, overhead by spare cores for asynchronous checks ([plot](figures/figure8.svg)):" \
    "$(sweep machine.async_cores)"
  table "**Figure 9**, overhead by size of L3 ([plot](figures/figure9.svg)):" "$(sweep l3.size)"
  table "**Figure 10**, share of accesses by what dealt with them ([plot](figures/figure10.svg)):" '
    { if ($3 == "" && $2 == "radish") { a = $(col["accesses"]); split("stack by_permission by_hardware by_software", m, " ")
        line[name] = ""; for (i = 1; i <= 4; ++i) line[name] = line[name] sprintf(" %.2f%% |", 100 * $(col[m[i]]) / a) } }
    END { print "| | stack | local permissions | hardware check | software check |"; print "|---|---:|---:|---:|---:|"
      for (k = 1; k <= names; ++k) print "| " order[k] " |" line[order[k]] }'
  table "**Table 2**, events for each 1,000 instructions:" '
    { if ($3 == "" && $2 == "none") base[name] = 1000 * $(col["l1_misses"]) / $(col["instructions"])
      if ($3 == "" && $2 == "radish") { t = $(col["instructions"]) / 1000
        row[name] = sprintf("%.2f | %.2f | %.2f | %.2f | %.3f | %.1f / %.1f", $(col["metadata_evictions"]) / t,
          $(col["inflations"]) / t, $(col["hardware_checks"]) / t, $(col["software_checks"]) / t,
          $(col["rollovers"]) / t, base[name], $(col["l1_misses"]) / t) } }
    END { print "| | md evicts | md inflates | hw checks | sw checks | rollovers | L1D misses (base / RADISH) |"
      print "|---|---:|---:|---:|---:|---:|---:|"
      for (k = 1; k <= names; ++k) print "| " order[k] " | " row[order[k]] " |" }'
} | "$root/bench/into-doc.sh" "$root/docs/simulate.md" results
