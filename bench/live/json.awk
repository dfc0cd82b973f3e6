# The results of run.sh as JSON: every single run, and what was measured on.

function quoted(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }

BEGIN { printf "{" }
/^#/ { printf "%s: %s, ", quoted(substr($1, 2)), quoted($2); next }
{
  printf "%s\n  {\"row\": %s, \"configuration\": %s, \"scale\": %d, \"run\": %d, \"wall_s\": %s, " \
    "\"cpu_s\": %s, \"peak_kb\": %s, \"status\": %s}", (n++ ? "," : "\"results\": ["), quoted($1),
    quoted($2), $3, $4, $5, $6, $7, quoted($8)
}
END { print (n ? "" : "\"results\": [") "\n]}" }
