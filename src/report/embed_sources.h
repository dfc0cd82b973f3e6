// The source lines a reader of the report will want, taken along in it: a report is read on other
// machines, and after the files have changed.
#pragma once

#include "report/model.h"

namespace steward::report {

// Lines around the frames of each race, as far as the files can be read. Frames of the standard
// library are left out, and files of which the report has lines already: those are older, and
// right.
void embed_sources(Report& report);

}  // namespace steward::report
