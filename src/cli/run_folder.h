// A private folder for the records of one run. Goes with its content when the run is over.
#pragma once

#include <string>

namespace steward::cli {

class RunFolder {
 public:
  RunFolder() = default;
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // In TMPDIR, else /tmp. What comes back is why it could not be made; empty: it is there.
  std::string make();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace steward::cli
