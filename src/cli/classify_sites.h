// What a program built with `steward cc --jumble` tells of its accesses: where each is, and of
// which variable. The section steward_sites, which src/pass/value_hooks.cpp writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace steward::cli {

struct Site {
  std::uint32_t variable = 0;  // hash of the name, as the runtime knows it; 0: without a name
  std::uint32_t line = 0;      // of file:line
  std::string place;           // file.cpp:12:7
  std::string name;            // Config::ready
  std::string object;          // the global it is in
};

class SiteTable {
 public:
  // Adds what the file has; false: nothing.
  bool add(const std::string& path);
  bool empty() const { return sites_.empty(); }

  // At a place as reports have it. A column of 0 is any.
  std::vector<const Site*> at(std::string_view file, unsigned line, unsigned column) const;
  // Of a variable by its name or its object's.
  std::vector<const Site*> named(std::string_view name) const;
  // All names, each once.
  std::vector<std::string> names() const;

 private:
  std::vector<Site> sites_;
};

}  // namespace steward::cli
