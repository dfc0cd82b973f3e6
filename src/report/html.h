// A report as one HTML page that needs nothing else: no network, no second file.
#pragma once

#include <string>

#include "report/model.h"

namespace steward::report {

// html/ holds the page, its style and its script; what they show comes as data, with the words of
// the other forms.
std::string html_report(const Report& report);

}  // namespace steward::report
