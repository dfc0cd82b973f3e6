#include "report/symbolize.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace steward::report {

namespace {

constexpr int kNewest = 40;
constexpr int kOldest = 13;  // the first with --output-style=JSON

using Key = std::pair<std::string, Address>;

class Cached final : public Symbolizer {
  // Above those who call it: its type is deduced.
  template <class Question>
  auto ask(Question question) {
    auto answer = question(backend());
    if (backend_->alive()) return answer;
    backend_ = open_libdw_symbolizer();
    return question(*backend_);
  }

 public:
  explicit Cached(SymbolizeOptions options) : options_(std::move(options)) {}

  std::vector<SourceFrame> code(const std::string& path, Address address) override {
    const auto [it, fresh] = code_.try_emplace(Key{path, address});
    if (fresh) {
      it->second = ask([&](Symbolizer& s) { return s.code(path, address); });
      for (SourceFrame& frame : it->second) tidy(frame.file);
    }
    return it->second;
  }

  std::optional<DataSymbol> data(const std::string& path, Address address) override {
    const auto [it, fresh] = data_.try_emplace(Key{path, address});
    if (fresh) {
      it->second = ask([&](Symbolizer& s) { return s.data(path, address); });
      if (it->second) tidy(it->second->file);
    }
    return it->second;
  }

 private:
  Symbolizer& backend() {
    if (!backend_ && options_.external) {
      const std::string program =
          options_.program.empty() ? find_llvm_symbolizer() : options_.program;
      if (!program.empty()) backend_ = open_llvm_symbolizer(program);
    }
    if (!backend_) backend_ = open_libdw_symbolizer();
    return *backend_;
  }

  // Compilers write /usr/lib/gcc/x/12/../../../../include/c++.
  void tidy(std::string& file) const {
    if (file.find("/../") != std::string::npos) {
      file = std::filesystem::path(file).lexically_normal().string();
    }
    const std::string& prefix = options_.strip_path_prefix;
    if (prefix.empty() || !file.starts_with(prefix)) return;
    file.erase(0, prefix.size());
    file.erase(0, file.find_first_not_of('/'));
  }

  SymbolizeOptions options_;
  std::unique_ptr<Symbolizer> backend_;
  std::map<Key, std::vector<SourceFrame>> code_;
  std::map<Key, std::optional<DataSymbol>> data_;
};

class Nothing final : public Symbolizer {
 public:
  std::vector<SourceFrame> code(const std::string&, Address) override { return {}; }
  std::optional<DataSymbol> data(const std::string&, Address) override { return std::nullopt; }
};

std::string on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (true) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::string file = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (::access(file.c_str(), X_OK) == 0) return file;
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::string find_llvm_symbolizer() {
  for (int version = kNewest; version >= kOldest; --version) {
    std::string found = on_path(fmt::format("llvm-symbolizer-{}", version));
    if (!found.empty()) return found;
  }
  return on_path("llvm-symbolizer");
}

std::unique_ptr<Symbolizer> no_symbolizer() {
  return std::make_unique<Nothing>();
}

std::unique_ptr<Symbolizer> open_symbolizer(SymbolizeOptions options) {
  return std::make_unique<Cached>(std::move(options));
}

}  // namespace steward::report
