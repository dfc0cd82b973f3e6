// What 'steward report' reads: reports as JSON, and raw records of programs that never got to one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/model.h"
#include "report/suppress.h"

namespace steward::cli {

struct ReportInput {
  std::string path;
  bool is_record_folder = false;
};

// Files as they are; of a folder its *.json, or, if it is what a killed 'steward run' left behind,
// itself. What comes back is what is wrong; empty: nothing.
std::string list_inputs(const std::vector<std::string>& paths, std::vector<ReportInput>& to);

// Reads one after the other. `failed` gets a line for each that cannot be read.
void read_inputs(const std::vector<ReportInput>& inputs,
                 const std::function<void(report::Report)>& take,
                 const std::function<void(const std::string&)>& failed);

}  // namespace steward::cli
