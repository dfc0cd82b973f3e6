// What an audit of one trace came to, and how it is told.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/names.h"
#include "trace/reader.h"

#include "analyze/audit.h"

namespace steward::cli {

struct AuditResult {
  std::string trace;                      // its path as given
  std::unique_ptr<trace::Reader> reader;  // has the names
  std::uint64_t events = 0;
  std::unique_ptr<analyze::Audit> audit;
  std::string cut_short;  // why the result is partial, or empty

  const trace::Names& names() const { return reader->names(); }
  // Reports of any detector that LARD has not, or the other way round.
  bool any_difference() const;
};

// Table 3 of the paper: a row a trace.
std::string audit_table(const std::vector<AuditResult>& results);
// A sentence for each rule: what this run would have been without it.
std::string audit_answer(const AuditResult& r);
std::string audit_json(const std::vector<AuditResult>& results, int exit_code);

}  // namespace steward::cli
