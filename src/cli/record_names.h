// Code of a recorded process, by what a trace calls it. Named as soon as it is met: the file has
// the names before the events, and a library that is unloaded later has told its own.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "event/ids.h"
#include "report/modules.h"
#include "report/records.h"
#include "trace/names.h"

namespace steward::cli {

class RecordedCode {
 public:
  // `names` is written to under `lock`.
  RecordedCode(trace::Names& names, std::mutex& lock);

  // The file of raw records in which the process lists its modules.
  void read_modules_from(std::string path) { path_ = std::move(path); }

  SiteId site(std::uint64_t pc) {
    Known& k = recent_[(pc ^ pc >> 12) % kRecent];
    if (k.pc == pc) return k.site;
    k = {pc, find_site(pc)};
    return k.site;
  }
  FunctionId function(std::uint64_t pc);

 private:
  SiteId find_site(std::uint64_t pc);
  report::Stack frames(std::uint64_t pc);
  void read_modules();

  trace::Names& names_;
  std::mutex& lock_;
  std::unique_ptr<report::Symbolizer> symbolizer_;
  report::Namer namer_;
  report::Modules modules_;
  std::string path_;
  std::uint64_t read_ = 0;  // bytes of the file
  report::LineSplitter lines_;

  static constexpr std::size_t kRecent = 4096;
  struct Known {
    std::uint64_t pc = 0;
    SiteId site = kNoSite;
  };
  Known recent_[kRecent] = {};
  std::unordered_map<std::uint64_t, SiteId> sites_;
  std::unordered_map<std::uint64_t, FunctionId> functions_;
};

}  // namespace steward::cli
