// A report for a pull request or a job's summary: a table, and each race behind a fold.
#pragma once

#include <string>

#include "report/model.h"

namespace steward::report {

std::string markdown_report(const Report& report);

}  // namespace steward::report
