#include "cli/sampling_text.h"

#include <fmt/format.h>
#include <vector>

#include "cli/numbers.h"
#include "cli/pacer_work.h"

namespace steward::cli {

std::string sampling_text(const report::Sampling& s) {
  std::string out = fmt::format("steward: sampling: {:g}% asked for", s.rate * 100);
  if (s.work != 0) {
    out += fmt::format(", {} of {} (work) sampled", percent(share(s.sampled_work, s.work)),
                       counted(s.work, "synchronisation operation"));
  }
  out += fmt::format("\n  {} of {} sampled; checks switched on {}\n", grouped(s.sampled_periods),
                     counted(s.periods, "period"), counted(s.activations, "time"));
  std::vector<Stat> rules;
  for (const auto& [name, times] : s.rules) {
    rules.push_back({name.c_str(), times.not_sampling, times.sampling, true});
  }
  return out + "cost of the operations (PACER paper, Table 3)\n" + pacer_table(pacer_work(rules));
}

}  // namespace steward::cli
