// A report in ThreadSanitizer's words, for the tools that parse those.
#pragma once

#include <string>

#include "report/model.h"

namespace steward::report {

std::string tsan_race(const Race& race);
std::string tsan_message(const Message& message);
// "ThreadSanitizer: reported 2 warnings"; empty when there were none.
std::string tsan_closing(const Report& report);

}  // namespace steward::report
