// Our own JSON back into a report. docs/report-format.md describes it, docs/report.schema.json
// defines it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "report/model.h"

namespace steward::report {

class JsonReader {
 public:
  JsonReader();
  ~JsonReader();

  struct Result {
    std::optional<Report> report;
    std::string error;  // when there is none
  };
  // Fields that are missing have their default values, those that are not known are passed over;
  // one with a value of the wrong type is an error.
  Result read(std::string_view text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace steward::report
