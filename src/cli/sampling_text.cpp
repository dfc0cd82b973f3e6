#include "cli/sampling_text.h"

#include <fmt/format.h>
#include <vector>

#include "cli/numbers.h"
#include "cli/pacer_work.h"

namespace steward::cli {
namespace {

// What the processors' time was spent in: a rate has its share of it, all else should have none.
std::string spent_text(const report::Sampling& s) {
  struct Part {
    const char *name, *text;
  };
  static constexpr Part kParts[] = {{"off", "without checks"},
                                    {"order_only", "with order alone followed"},
                                    {"checked", "with checks after sampled periods"},
                                    {"sampled", "in sampled periods"}};
  std::string out;
  for (const Part& p : kParts) {
    const auto found = s.spent_us.find(p.name);
    if (found == s.spent_us.end() || found->second == 0) continue;
    const double seconds = static_cast<double>(found->second) * 1e-6;
    out += fmt::format("{}{:.2f} s {}", out.empty() ? "  processor time: " : ", ", seconds, p.text);
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string sampling_text(const report::Sampling& s) {
  std::string out = fmt::format("steward: sampling: {:g}% asked for", s.rate * 100);
  if (s.work != 0) {
    out += fmt::format(", {} of {} (work) sampled", percent(share(s.sampled_work, s.work)),
                       counted(s.work, "synchronisation operation"));
  }
  out += fmt::format("\n  {} of {} sampled; checks switched on {}\n", grouped(s.sampled_periods),
                     counted(s.periods, "period"), counted(s.activations, "time"));
  out += spent_text(s);
  std::vector<Stat> rules;
  for (const auto& [name, times] : s.rules) {
    rules.push_back({name.c_str(), times.not_sampling, times.sampling, true});
  }
  return out + "cost of the operations (PACER paper, Table 3)\n" + pacer_table(pacer_work(rules));
}

}  // namespace steward::cli
