#include "cli/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace steward::cli {

namespace {

constexpr double kWidth = 860, kHeight = 400;
constexpr double kLeft = 70, kRight = 20, kTop = 70, kBottom = 60;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
// Told apart by the colour-blind too (Okabe and Ito), light enough for black text beside them.
constexpr std::array kColors = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                "#f0e442", "#d55e00", "#0072b2"};

std::string escaped(const std::string& s) {
  std::string out;
  for (const char c : s) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string color(const Series& s, std::size_t i) {
  return s.color.empty() ? kColors[i % kColors.size()] : s.color;
}

// A round number at or above, and how far its ticks are apart.
struct Scale {
  double top;
  double step;
};
Scale scale(double largest) {
  if (!(largest > 0)) return {1, 0.25};
  const double power = std::pow(10, std::floor(std::log10(largest)));
  for (const double factor : {1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0}) {
    const double step = power * factor / 5;
    if (step * 5 >= largest * 0.9999) return {step * 5, step};
  }
  return {power * 20, power * 4};
}

class Drawing {
 public:
  explicit Drawing(const Chart& c) {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="12">)",
        kWidth, kHeight);
    add(R"(<rect width="{}" height="{}" fill="white"/>)", kWidth, kHeight);
    add(R"(<text x="{}" y="22" font-size="15" font-weight="bold">{}</text>)", kLeft,
        escaped(c.title));
    double x = kLeft;
    for (std::size_t i = 0; i < c.series.size(); ++i) {
      add(R"(<rect x="{}" y="36" width="12" height="12" fill="{}"/>)", x, color(c.series[i], i));
      add(R"(<text x="{}" y="46">{}</text>)", x + 16, escaped(c.series[i].name));
      x += 34 + 6.6 * static_cast<double>(c.series[i].name.size());
    }
  }

  template <class... Args>
  void add(fmt::format_string<Args...> f, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), f, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void axis(const Scale& s, const std::string& unit) {
    for (double v = 0; v <= s.top * 1.001; v += s.step) {
      const double at = y(v, s);
      add(R"(<line x1="{}" y1="{:.1f}" x2="{}" y2="{:.1f}" stroke="#ddd"/>)", kLeft, at,
          kWidth - kRight, at);
      add(R"(<text x="{}" y="{:.1f}" text-anchor="end">{:g}</text>)", kLeft - 6, at + 4, v);
    }
    add(R"svg(<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>)svg",
        kTop + kPlotHeight / 2, escaped(unit));
  }
  void base_line() {
    add(R"(<line x1="{0}" y1="{1}" x2="{2}" y2="{1}" stroke="black"/>)", kLeft, kTop + kPlotHeight,
        kWidth - kRight);
  }

  static double y(double v, const Scale& s) { return kTop + kPlotHeight * (1 - v / s.top); }

  std::string finish() && { return std::move(text_) + "</svg>\n"; }

 private:
  std::string text_;
};

double value(const Series& s, std::size_t i) {
  return i < s.values.size() && !std::isnan(s.values[i]) ? s.values[i] : 0;
}

}  // namespace

std::string bar_chart(const Chart& c) {
  double largest = 0;
  for (std::size_t i = 0; i < c.categories.size(); ++i) {
    double sum = 0;
    for (const Series& s : c.series) {
      sum += value(s, i);
      if (!c.stacked) largest = std::max(largest, value(s, i));
    }
    if (c.stacked) largest = std::max(largest, sum);
  }
  const Scale s = c.stacked && largest <= 1.001 ? Scale{1, 0.2} : scale(largest);
  Drawing d(c);
  d.axis(s, c.unit);
  const double group =
      kPlotWidth / static_cast<double>(std::max<std::size_t>(1, c.categories.size()));
  const std::size_t columns = c.stacked ? 1 : std::max<std::size_t>(1, c.series.size());
  const double bar = std::min(60.0, group * 0.8 / static_cast<double>(columns));
  for (std::size_t i = 0; i < c.categories.size(); ++i) {
    const double middle = kLeft + group * (static_cast<double>(i) + 0.5);
    double below = 0;
    for (std::size_t k = 0; k < c.series.size(); ++k) {
      const double v = value(c.series[k], i);
      const double x = middle - bar * static_cast<double>(columns) / 2 +
                       (c.stacked ? 0 : bar * static_cast<double>(k));
      const double top = Drawing::y(below + v, s);
      d.add(
          R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"><title>{}: {:.4g}</title></rect>)",
          x, top, bar * 0.94, Drawing::y(below, s) - top, color(c.series[k], k),
          escaped(c.series[k].name), v);
      if (c.stacked) {
        below += v;
      } else if (bar > 22 && !std::isnan(c.series[k].values[i])) {
        d.add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="10">{:.3g}</text>)",
              x + bar * 0.47, top - 3, v);
      }
    }
    const std::size_t cut = std::min(c.categories[i].find('\n'), c.categories[i].size());
    d.add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", middle,
          kTop + kPlotHeight + 18, escaped(c.categories[i].substr(0, cut)));
    if (cut == c.categories[i].size()) continue;
    d.add(R"(<text x="{:.1f}" y="{}" text-anchor="middle" font-size="11">{}</text>)", middle,
          kTop + kPlotHeight + 34, escaped(c.categories[i].substr(cut + 1)));
  }
  d.base_line();
  return std::move(d).finish();
}

std::string area_chart(const Chart& c, const std::string& span) {
  const Scale s{1, 0.2};
  Drawing d(c);
  d.axis(s, c.unit);
  const std::size_t n = c.series.empty() ? 0 : c.series[0].values.size();
  const auto x = [&](std::size_t i) {
    return kLeft + (n < 2 ? 0 : kPlotWidth * static_cast<double>(i) / static_cast<double>(n - 1));
  };
  std::vector<double> below(n);
  for (std::size_t k = 0; k < c.series.size(); ++k) {
    std::string points;
    for (std::size_t i = 0; i < n; ++i) {
      points +=
          fmt::format("{:.1f},{:.1f} ", x(i), Drawing::y(below[i] + value(c.series[k], i), s));
    }
    for (std::size_t i = n; i-- > 0;) {
      points += fmt::format("{:.1f},{:.1f} ", x(i), Drawing::y(below[i], s));
    }
    for (std::size_t i = 0; i < n; ++i) below[i] += value(c.series[k], i);
    d.add(R"(<polygon points="{}" fill="{}"/>)", points, color(c.series[k], k));
  }
  d.add(R"(<text x="{}" y="{}">0</text>)", kLeft, kTop + kPlotHeight + 18);
  d.add(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", kWidth - kRight,
        kTop + kPlotHeight + 18, escaped(span));
  d.base_line();
  return std::move(d).finish();
}

}  // namespace steward::cli
