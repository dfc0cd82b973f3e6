// A race with everything in it, and what tests of files and programs need.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "report/model.h"

namespace steward::report {

inline Frame frame(std::string function, std::string file = {}, unsigned line = 0,
                   unsigned column = 0) {
  Frame f;
  f.function = std::move(function);
  f.file = std::move(file);
  f.line = line;
  f.column = column;
  f.module = "/opt/app/bin/app";
  f.offset = 0x1200 + line;
  f.pc = 0x55550000'1200 + line;
  return f;
}

// A write by T2, which holds M7, and an earlier read by the main thread.
inline Race sample_race() {
  Race race;
  race.pid = 4711;
  race.address = 0x7b0400000010;
  race.size = 4;
  Stack write = {frame("Account::add(int)", "/src/account.cpp", 12, 11),
                 frame("pay(Account&)", "/src/pay.cpp", 30, 3),
                 frame("worker", "/src/pay.cpp", 41)};
  write[0].inlined = true;
  write[0].start_line = 10;
  race.accesses.push_back({AccessKind::Write, 0x7b0400000010, 4, 2, write, false, {7}});
  race.accesses.push_back({AccessKind::Read,
                           0x7b0400000010,
                           4,
                           0,
                           {frame("Account::balance() const", "/src/account.cpp", 20, 10),
                            frame("main", "/src/main.cpp", 8, 5)},
                           false,
                           {}});
  race.memory.kind = MemoryKind::Heap;
  race.memory.begin = 0x7b0400000000;
  race.memory.size = 24;
  race.memory.thread = 0;
  race.memory.stack = {frame("make_account()", "/src/account.cpp", 3, 12),
                       frame("main", "/src/main.cpp", 5, 9)};
  race.locks.push_back({7, 0x7b0400000100, "mutex", {frame("worker", "/src/pay.cpp", 39, 3)}});
  Thread main;
  main.os = 4711;
  main.pid = 4711;
  Thread worker;
  worker.id = 2;
  worker.os = 4713;
  worker.pid = 4711;
  worker.name = "payer";
  worker.parent = 0;
  worker.stack = {frame("main", "/src/main.cpp", 6, 3)};
  race.threads = {main, worker};
  race.fingerprint = "0123456789abcdef";
  return race;
}

// Removed at the end.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/steward-test-XXXXXX";
    if (::mkdtemp(name) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name) << text;
    return *this / name;
  }

 private:
  std::string path_;
};

// True if the command succeeded.
inline bool sh(const std::string& command) {
  return std::system(command.c_str()) == 0;
}

inline bool have(const std::string& program) {
  return sh("command -v " + program + " >/dev/null 2>&1");
}

inline std::string output_of(const std::string& command) {
  std::string out;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) out += buffer;
    ::pclose(pipe);
  }
  return out;
}

inline std::string source(const std::string& name) {
  return std::string(STEWARD_SOURCE_DIR) + "/tests/unit/report/" + name;
}

}  // namespace steward::report
