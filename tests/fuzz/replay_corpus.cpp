// Runs every file of the given folders, and seeded mutations of it, through the fuzz targets'
// checks: a fuzzer for builds without one.
//
//   replay_corpus MUTATIONS FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "check.h"

namespace {

using Random = std::mt19937_64;

std::vector<std::string> load(const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path().string());
    }
  }
  // The order of a folder is not the same everywhere; the mutations are to be.
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return files;
}

std::string mutated(const std::vector<std::string>& files, std::string bytes, Random& random) {
  for (std::size_t n = 1 + random() % 4; n > 0; --n) {
    const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
    switch (random() % 6) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
        break;
      case 2:
        bytes.insert(at, 1 + random() % 8, static_cast<char>(random()));
        break;
      case 3:
        bytes.erase(at, 1 + random() % 16);
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5: {
        const std::string& other = files[random() % files.size()];
        if (other.empty()) break;
        const std::size_t from = random() % other.size();
        bytes.insert(at, other, from, random() % 64);
        break;
      }
    }
  }
  return bytes;
}

void check(const std::string& bytes) {
  steward::trace::check_trace(bytes);
  steward::trace::check_block_contents(bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: replay_corpus MUTATIONS FOLDER...\n");
    return 2;
  }
  const unsigned long mutations = std::strtoul(argv[1], nullptr, 10);
  const std::vector<std::string> files = load({argv + 2, argv + argc});
  if (files.empty()) {
    std::fprintf(stderr, "replay_corpus: no files\n");
    return 1;
  }
  Random random(1);
  for (const std::string& file : files) {
    check(file);
    for (unsigned long i = 0; i < mutations; ++i) check(mutated(files, file, random));
  }
  std::printf("%zu files, %lu mutations each\n", files.size(), mutations);
  return 0;
}
