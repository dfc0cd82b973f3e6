// The command line that 'steward cc' makes of a compiler's. Pure: words in, words out.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

enum class CompilerFamily : unsigned char { Gcc, Clang };

struct CompileStep {
  bool has_input = false;  // false: a question such as --version, to be passed on as it is
  bool links = false;
  bool is_static = false;
  bool has_runtime = true;  // false: -nostdlib and such leave the libraries to the user
  std::string conflicting;  // a sanitizer that cannot be had with this one
  bool static_libtsan = false;
};

// What the words ask for. Those of response files are looked at too.
CompileStep examine(const std::vector<std::string>& words);

struct CompilePlan {
  std::vector<std::string> command;
  std::string error;  // one line; empty: none
};

// `compiler`: its name and words of its own, such as {"ccache", "clang"}. `library`: the folder of
// our libtsan.so.2; empty: there is none, which is an error only when linking. `plugin`: the pass for
// this clang; empty: none.
CompilePlan plan_compile(const std::vector<std::string>& compiler, CompilerFamily family,
                         const std::vector<std::string>& words, const std::string& library,
                         const std::string& plugin = {});

// As a shell would have it.
std::string quoted(const std::vector<std::string>& command);

}  // namespace steward::cli
