// Raw records in, a report out: names addresses, drops what is suppressed, merges what is the same.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "report/merge.h"
#include "report/model.h"
#include "report/modules.h"
#include "report/suppress.h"
#include "report/symbolize.h"

namespace steward::report {

// What one line brought that a reader wants to hear of now. Valid until the next line.
struct News {
  const Race* race = nullptr;
  const Message* message = nullptr;
};

class Collector {
 public:
  // One file of records, written by one process at a time.
  class Source {
   public:
    explicit Source(std::string name) : name_(std::move(name)) {}

   private:
    friend class Collector;

    std::string name_;
    std::size_t lines_ = 0;
    std::size_t broken_ = 0;
    std::uint64_t races_ = 0;
    Modules modules_;
    std::map<std::uint32_t, ThreadRecord> threads_;
    std::optional<std::size_t> process_;  // in the report
  };

  Collector(Symbolizer& symbolizer, Suppressions& suppressions, Merge merge)
      : namer_(symbolizer), suppressions_(suppressions), merger_(merge) {}

  News take(Source& source, std::string_view line);
  // No more will come. `rest` is what followed the last whole line.
  void close(Source& source, std::string_view rest);

  Report& report() { return report_; }
  const Report& report() const { return report_; }

  // A process has said that it runs under a tool.
  bool started() const { return !report_.processes.empty(); }
  // One of them has code to look at, or showed so by a race.
  bool checked() const;

 private:
  void begin(Source& source, const StartRecord& start);
  void end(Source& source, const EndRecord& end);
  void add_rules(const SuppressionsRecord& rules);
  News race(Source& source, const RaceRecord& raw);
  News message(Source& source, const MessageRecord& raw);
  void problem(Source& source, std::string_view what);

  Stack named(Source& source, const RawStack& raw);
  Thread thread(Source& source, std::uint32_t id);
  int pid(const Source& source) const;
  struct Image {
    bool instrumented = true;
    std::string build_id;
    std::string compiler;
  };
  const Image& image(const std::string& exe);

  Namer namer_;
  Suppressions& suppressions_;
  Merger merger_;
  Report report_;
  std::map<std::string, Image> images_;  // by executable
  std::set<std::string> own_rules_;      // the programs' own suppressions, seen already
};

}  // namespace steward::report
