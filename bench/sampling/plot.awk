# A plot as SVG. Lines: series, rate in percent or number of threads (-v against=rate|threads; of
# threads the logarithm counts), ratio, "mean" or nothing; "=NAME", nothing, ratio: a level to compare
# with. -v what=cpu|peak names the axis. Means are drawn bold, the others thin; the axis is
# made for the means and the levels, and a row far above them leaves the plot at its top.

function x_of(x) {
  return kLeft + kWidth * (against == "rate" ? x / 100 : \
    most_threads > least_threads ? log(x / least_threads) / log(most_threads / least_threads) : 0.5)
}
function y_of(ratio) { return kTop + kHeight - (ratio - 1) / (highest - 1) * kHeight }
function text(x, y, anchor, size, colour, words) {
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>\n", \
    x, y, anchor, size, colour, words
}
function tick(x, words) {
  printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#888\"/>\n", x_of(x), x_of(x), \
    kTop + kHeight, kTop + kHeight + 5
  text(x_of(x), kTop + kHeight + 20, "middle", 12, "#444", words)
}

{
  if ($1 ~ /^=/) { level[substr($1, 2)] = $3 }
  else {
    if (!($1 in points)) names[++n] = $1
    points[$1] = points[$1] SUBSEP $2 SUBSEP $3
    if ($4 == "mean") is_mean[$1] = 1
    if (against == "threads") at_threads[$2] = 1
    if (most_threads == "" || $2 + 0 > most_threads) most_threads = $2 + 0
    if (least_threads == "" || $2 + 0 < least_threads) least_threads = $2 + 0
  }
  if ($1 ~ /^=/ && $3 > highest_level) highest_level = $3
  if (($1 ~ /^=/ || $4 == "mean") && $3 * 1.6 > highest) highest = $3 * 1.6
}

END {
  kLeft = 60; kTop = 44; kWidth = 560; kHeight = 330; full_width = against == "rate" ? 780 : 840
  step = highest > 40 ? 10 : highest > 12 ? 4 : highest > 5 ? 2 : highest > 2.4 ? 0.5 : highest > 1.5 ? 0.2 : 0.1
  highest = 1 + step * (int((highest - 1) / step) + 1)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 430\" font-family=\"sans-serif\">\n", full_width
  printf "<rect width=\"%d\" height=\"430\" fill=\"white\"/>\n", full_width
  printf "<clipPath id=\"inside\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n", \
    kLeft - 5, kTop, kWidth + 10, kHeight + 5
  text(kLeft, 24, "start", 15, "#222", (against == "rate" ? "Sampling rate" : "Threads") " against " \
    (what == "peak" ? "peak memory" : "processor time") ", multiple of native")
  for (y = 1; y <= highest + 1e-9; y += step) {
    printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", kLeft, kLeft + kWidth, \
      y_of(y), y_of(y), y == 1 ? "#888" : "#e4e4e4"
    text(kLeft - 8, y_of(y) + 4, "end", 12, "#444", sprintf(step < 1 ? "%.1f" : "%d", y))
  }
  if (against == "rate") for (x = 0; x <= 100; x += 10) tick(x, x "%")
  for (x in at_threads) tick(x, x)
  text(kLeft + kWidth / 2, kTop + kHeight + 42, "middle", 12, "#444", \
    against == "rate" ? "sampling rate asked for" : "threads")
  for (name in level) {
    printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#444\" stroke-dasharray=\"6 4\"/>\n", \
      kLeft, kLeft + kWidth, y_of(level[name]), y_of(level[name])
    # Above the highest, below the others: two may be near each other.
    text(kLeft + 6, y_of(level[name]) + (level[name] == highest_level ? -5 : 14), "start", 12, "#444", sprintf("%s, geometric mean %.2f", name, level[name]))
  }
  # Means are the first to come, and drawn last, over the others.
  colour_count = split("#4269d0 #efb118 #ff725c #6cc5b0 #3ca951 #ff8ab7 #a463f2 #97bbf5 #9c6b4e " \
    "#9498a0 #1f8a8a #8a5a00 #b03060 #5f7a2e", colours, " ")
  for (i = n; i >= 1; --i) {
    mean = names[i] in is_mean
    colour = names[i] == "geometric mean" ? "#111" : colours[(i - 1) % colour_count + 1]
    m = split(substr(points[names[i]], 2), p, SUBSEP)
    path = ""
    for (j = 1; j < m; j += 2) path = path sprintf("%.1f,%.1f ", x_of(p[j]), y_of(p[j + 1]))
    printf "<polyline points=\"%s\" fill=\"none\" clip-path=\"url(#inside)\" stroke=\"%s\" stroke-width=\"%s\"/>\n", path, colour, mean ? 3 : 1.3
    if (mean) for (j = 1; j < m; j += 2)
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x_of(p[j]), y_of(p[j + 1]), colour
    y = kTop + 10 + (i - 1) * 20
    printf "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%s\"/>\n", \
      kLeft + kWidth + 16, kLeft + kWidth + 38, y, y, colour, mean ? 3 : 1.3
    text(kLeft + kWidth + 44, y + 4, "start", 12, "#222", names[i])
  }
  print "</svg>"
}
