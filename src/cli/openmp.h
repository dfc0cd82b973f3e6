// OpenMP: its threads wait for each other inside its library, by means that no hook sees, so that
// all they order would seem to race. LLVM's library tells a tool of what it orders (OMPT), and
// Archer, which LLVM ships beside it, is the tool that passes that on as annotations. gcc's library
// tells nobody; LLVM's has all its functions and can run in its place.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace steward::cli {

struct OpenMp {
  enum class Order {
    None,     // the program does not use OpenMP
    Told,     // see tell_order
    Theirs,   // the user has chosen a tool, or none: OMP_TOOL_LIBRARIES, OMP_TOOL
    Missing,  // libomp or its libarcher.so
    Foreign,  // the program needs what libomp has not
  };
  Order order = Order::None;
  bool replaces = false;  // libomp runs in the place of gcc's libgomp
  std::string runtime;    // the libomp
  std::string archer;
  std::string lacks;  // Foreign: one such name
};

// An OpenMP runtime, by its file's name.
bool is_of_openmp(std::string_view path);

// What the program, and the libraries it loads, want of OpenMP, and what there is of it here. Of a
// script nothing is known.
OpenMp look_for_openmp(const std::string& program);

// Into a program's environment, which loads a tool's library already. What libomp and Archer do to
// their own data, and with their own locks, counts for nothing then (the option `unseen`).
void tell_order(const OpenMp& openmp, std::map<std::string, std::string>& environment);

// A line for the user; empty: there is nothing to say.
std::string say(const OpenMp& openmp);

}  // namespace steward::cli
