// The end of the process.
#pragma once

namespace steward::rt {

// Writes the last record and, if nobody else is going to, has the report printed. Returns the exit
// code to end with: `status`, or the option's if that was 0 and there were races. A reporter that
// waits (`steward run`) decides on the code by itself, since it knows the suppressions.
int finish(int status);

}  // namespace steward::rt
