// A report as SARIF 2.1.0, for code hosts and editors.
#pragma once

#include <string>

#include "report/model.h"

namespace steward::report {

// A race is a result. Its two stacks are one code flow of two thread flows, outermost frame first,
// as viewers step through them; the earlier access and the allocation are related locations.
std::string sarif_report(const Report& report);

}  // namespace steward::report
