# Holds a log of Helgrind or DRD against the expectations in a program's source, with the words of
# tests/programs/support/check_report.cpp.
#   awk -f judge_valgrind.awk name=FILE_NAME SOURCE LOG
# Only reports of races count, not those about the use of locks, nor those about the barrier that
# orders the programs: its assembly is not theirs. The line of an access is that of
# the innermost frame in the program's own file. DRD never names the earlier access and Helgrind
# sometimes cannot: its line is then taken for right.

FNR == 1 { ++file }

file == 1 && /^\/\/ EXPECT: race/ { races = NF > 3 ? $4 : 1 }
file == 1 && match($0, /\/\/ RACE [A-Z|]+[ \t]*$/) {
  labels = substr($0, RSTART + 8)
  gsub(/[| \t]/, "", labels)
  for (i = 1; i <= length(labels); ++i) marked[substr(labels, i, 1), FNR] = 1
}

file == 2 && /Possible data race during|Conflicting (load|store) by/ { finish(); open = 1; next }
file == 2 && /This conflicts with a previous/ { open = open ? 2 : 0; next }
# What follows is about the memory, other segments or locks, no access.
file == 2 && /Other segment|Allocation context|Address .* is |was first observed|^==[0-9]+== ---/ {
  finish()
  next
}
file == 2 && open && / at 0x/ && /\(invisible\.h:/ { open = line[1] = line[2] = 0; next }
file == 2 && open && !line[open] && match($0, /\([^()]*:[0-9]+\)$/) {
  split(substr($0, RSTART + 1, RLENGTH - 2), place, ":")
  if (place[1] == name) line[open] = place[2]
}

function fits(race, a, b,    first, second) {
  first = sprintf("%c", 65 + 2 * race); second = sprintf("%c", 66 + 2 * race)
  if (b == "any") return ((first, a) in marked) || ((second, a) in marked)
  return ((first, a) in marked && (second, b) in marked) ||
         ((first, b) in marked && (second, a) in marked)
}

function finish(    a, b, race, known) {
  if (open) {
    a = line[1] + 0; b = open == 1 ? "any" : line[2] + 0
    for (race = 0; race < races; ++race) if (fits(race, a, b)) known = seen[race] = 1
    if (!known) text = text " reported, not expected: lines " a "/" b ";"
  }
  open = 0; line[1] = line[2] = 0
}

END {
  finish()
  for (race = 0; race < races; ++race)
    if (!(race in seen))
      text = text sprintf(" expected, not reported: RACE %c/%c;", 65 + 2 * race, 66 + 2 * race)
  if (text != "") print substr(text, 2)
}
