// Small charts as SVG: bars in groups, bars in parts, areas over time. No script, no font of its
// own.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

struct Series {
  std::string name;
  std::vector<double> values;  // one for each category; NaN: none
  std::string color{};         // or the next of the palette
};

struct Chart {
  std::string title;
  std::string unit;                     // of the axis of values
  std::vector<std::string> categories;  // a line feed begins a second line
  std::vector<Series> series;
  bool stacked = false;
};

std::string bar_chart(const Chart& chart);
// Series stacked from 0 to 1; `span` is what the axis of time ends with.
std::string area_chart(const Chart& chart, const std::string& span);

}  // namespace steward::cli
