# Markdown tables for docs/who-is-right.md.
#   awk -F'\t' -f tables.awk programs.tsv TOOL-COMPILER-OPT.tsv...
# programs.tsv: program, expected, what it shows. The others: program, class, text.

FNR == 1 && NR > 1 {
  name = FILENAME
  sub(/.*\//, "", name); sub(/\.tsv$/, "", name)
  opt_of[name] = substr(name, length(name) - 1)
  tool = substr(name, 1, length(name) - 3)
  tool_of[name] = tool
  runs[++run_count] = name
  if (!(tool in known_tool)) { known_tool[tool] = 1; tools[++tool_count] = tool }
}
FNR == NR { expected[$1] = $2; shows[$1] = $3; next }
!($1 in expected) { next }  # gone since
!($1 in family_of) {  # programs newer than the results are left out
  programs[++program_count] = $1
  family = $1; sub(/\/.*/, "", family); family_of[$1] = family
  if (!(family in family_size)) families[++family_count] = family
  ++family_size[family]
}
{
  class = $2 == "skipped" ? "n/a" : $2
  verdict[name, $1] = class
  if (class != "n/a") ++asked[name]
  ++total[name, class]; ++by_family[name, family_of[$1], class]
  if ($2 == "n/a") {
    key = tool_of[name] SUBSEP $3
    if ((key, $1) in counted) next  # at another optimisation level
    counted[key, $1] = 1
    if (!reason[key]++) reasons[++reason_count] = key
  }
}

function title(tool) {
  if (tool == "steward-gcc") return "Steward, gcc"
  if (tool == "steward-clang-19") return "Steward, clang"
  if (tool == "tsan-gcc") return "gcc TSan"
  if (tool == "tsan-clang-19") return "clang TSan"
  if (tool == "helgrind-gcc") return "Helgrind"
  if (tool == "drd-gcc") return "DRD"
  return tool
}

function words(class) {
  if (class == "false") return "false report"
  if (class == "missed") return "misses it"
  if (class == "lines") return "wrong lines"
  return "fails to run"
}

# family_cell(run, family): how many are right; what the others are, if there are others
function family_cell(run, family,    text, c) {
  text = by_family[run, family, "right"] + 0
  for (c = 1; c <= 5; ++c)
    if (by_family[run, family, others[c]])
      text = text ", " by_family[run, family, others[c]] " " others[c]
  return text
}

# wrong_cell(program): who is wrong, and where only at one optimisation level, at which
function wrong_cell(program,    t, o0, o2, text) {
  for (t = 1; t <= tool_count; ++t) {
    o0 = verdict[tools[t] "-O0", program]; o2 = verdict[tools[t] "-O2", program]
    if (o0 == o2) o2 = ""
    if (is_wrong(o0)) text = text ", " title(tools[t]) ": " words(o0) (is_asked(o2) ? " (-O0)" : "")
    if (is_wrong(o2)) text = text ", " title(tools[t]) ": " words(o2) " (-O2)"
  }
  return substr(text, 3)
}

function is_asked(class) { return class != "" && class != "n/a" }
function is_wrong(class) { return is_asked(class) && class != "right" }

END {
  split("missed false lines failed n/a", others, " ")
  print "| tool | level | programs asked | right | races missed | false reports | wrong lines " \
    "| failed to run | not applicable |"
  print "|---|---|---|---|---|---|---|---|---|"
  for (r = 1; r <= run_count; ++r) {
    run = runs[r]
    printf "| %s | -%s | %d | %d | %d | %d | %d | %d | %d |\n", title(tool_of[run]), opt_of[run],
      asked[run], total[run, "right"], total[run, "missed"],
      total[run, "false"], total[run, "lines"], total[run, "failed"], total[run, "n/a"]
  }

  print "\n**By family, at -O0**: how many of its programs a tool is right about, then the others.\n"
  printf "| family | programs |"; dashes = "|---|---|"
  for (t = 1; t <= tool_count; ++t) { printf " %s |", title(tools[t]); dashes = dashes "---|" }
  print "\n" dashes
  for (f = 1; f <= family_count; ++f) {
    printf "| [%s](../tests/programs/%s) | %d |", families[f], families[f], family_size[families[f]]
    for (t = 1; t <= tool_count; ++t) printf " %s |", family_cell(tools[t] "-O0", families[f])
    print ""
  }

  print "\n**Not applicable**, by the rules of " \
    "[applicable.sh](../bench/verdicts/applicable.sh)\n"
  print "| tool | programs | why |\n|---|---|---|"
  for (i = 1; i <= reason_count; ++i) {
    split(reasons[i], part, SUBSEP)
    printf "| %s | %d | %s |\n", title(part[1]), reason[reasons[i]], part[2]
  }
  print "\nA few more are for one compiler only, or not for -O2, and say so themselves (`// ONLY:`," \
    "\n`// SKIP-O2:`)."

  print "\n**Every program that a tool is wrong about**\n"
  print "| program | it shows | there is | who is wrong |\n|---|---|---|---|"
  for (p = 1; p <= program_count; ++p) {
    program = programs[p]
    wrong = wrong_cell(program)
    if (wrong == "") continue
    ++wrong_programs
    shown = shows[program]; gsub(/\|/, "\\|", shown); sub(/\.$/, "", shown)
    printf "| [%s](../tests/programs/%s) | %s | %s | %s |\n", program, program, shown,
      expected[program] == "race" ? "a race" : "no race", wrong
  }
  printf "\n%d of %d; about the others every tool that was asked is right.\n", wrong_programs,
    program_count
}
