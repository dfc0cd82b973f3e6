// The files of records in a folder, read as they grow.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/collect.h"

namespace steward::report {

// One file. It may be appended to while it is read.
class RecordFile {
 public:
  RecordFile(const std::string& path, const std::string& name);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  bool open() const { return fd_ >= 0; }
  int error() const { return error_; }

  using Listener = std::function<void(const News&)>;
  // Reads on, at most some megabytes at a time. False: there was nothing new.
  bool read(Collector& collector, const Listener& listener);
  void close(Collector& collector);

 private:
  int fd_;
  int error_;
  LineSplitter lines_;
  Collector::Source source_;
};

// All files "r.PID" in a folder.
class RecordFolder {
 public:
  explicit RecordFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string prefix() const { return path_ + "/r"; }
  bool has_files() const { return !files_.empty(); }  // as last looked for

  // Looks for new files, and reads on in all. False: there was nothing new.
  bool read(Collector& collector, const RecordFile::Listener& listener);
  void close(Collector& collector);

 private:
  std::string path_;
  std::map<std::string, RecordFile> files_;
};

}  // namespace steward::report
