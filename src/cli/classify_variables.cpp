#include "cli/classify_variables.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/suggest.h"
#include "report/phrases.h"

namespace steward::cli {

namespace {

std::string short_place(const report::Frame& f) {
  return fmt::format("{}:{}", f.file.substr(f.file.rfind('/') + 1), f.line);
}

// Where a block was allocated, in the program's own code, and from where that was called: many
// programs have one function that allocates.
std::string allocation(const report::Stack& stack) {
  std::string text;
  for (const report::Frame& f : stack) {
    if (f.line == 0 || f.file.starts_with("/usr/")) continue;
    if (!text.empty()) return text + " from " + short_place(f);
    text = short_place(f);
  }
  return text;
}

// Without a name of its own: an element of a heap array, say.
std::string unnamed(const report::Race& race) {
  if (race.memory.kind == report::MemoryKind::Heap) {
    const std::string at = allocation(race.memory.stack);
    if (!at.empty()) return fmt::format("heap array allocated at {}", at);
  }
  if (race.memory.kind == report::MemoryKind::Global && !race.memory.symbol.empty()) {
    return race.memory.symbol;
  }
  for (const report::Access& a : race.accesses) {
    if (const report::Frame* f = a.stack.empty() ? nullptr : &a.stack[0]; f != nullptr) {
      return fmt::format("{} accessed at {}", report::memory_text(race), short_place(*f));
    }
  }
  return report::memory_text(race);
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

void take(Variable& v, const Site& s) {
  if (s.variable != 0) {
    v.variables.insert(s.variable);
  } else {
    v.lines.insert(s.line);
  }
}

// Of which variables this is a race. A report tells races on one line as one: then it may be any
// that both lines access.
std::set<std::string> names_of(const report::Race& race, const std::vector<const Site*>& found,
                               const SiteTable& sites) {
  std::set<std::string> names;
  for (const Site* s : found) {
    if (names.empty() && !s->name.empty()) names.insert(s->name);
  }
  if (race.count < 2 || race.accesses.size() != 2) return names;
  std::set<std::string> at[2];
  for (int i = 0; i < 2; ++i) {
    const report::Stack& stack = race.accesses[static_cast<std::size_t>(i)].stack;
    if (stack.empty()) continue;
    for (const Site* s : sites.at(stack[0].file, stack[0].line, 0)) at[i].insert(s->name);
  }
  for (const std::string& name : at[0]) {
    if (!name.empty() && at[1].count(name) != 0) names.insert(name);
  }
  return names;
}

}  // namespace

std::vector<Variable> variables_of(const report::Report& report, const SiteTable& sites) {
  std::vector<Variable> out;
  for (const report::Race& race : report.races) {
    std::vector<const Site*> found;
    std::vector<std::string> places;
    for (const report::Access& a : race.accesses) {
      if (a.stack.empty()) continue;
      const report::Frame& f = a.stack[0];
      add_once(places, short_place(f));
      for (const Site* s : sites.at(f.file, f.line, f.column)) found.push_back(s);
    }
    std::set<std::string> names = names_of(race, found, sites);
    if (names.empty()) names.insert(unnamed(race));
    for (const std::string& name : names) {
      auto v =
          std::find_if(out.begin(), out.end(), [&](const Variable& o) { return o.name == name; });
      if (v == out.end()) {
        v = out.insert(out.end(), Variable{});
        v->name = name;
      }
      const std::vector<const Site*> own = sites.named(name);
      if (own.empty()) {  // it has no name of its own: the places stand for it
        for (const Site* s : found) take(*v, *s);
      } else {
        for (const Site* s : own) {
          if (s->name == name) take(*v, *s);
        }
      }
      for (const std::string& p : places) add_once(v->places, p);
      v->races.push_back(race.fingerprint);
    }
  }
  for (Variable& v : out) {
    if (v.variables.empty() && v.lines.empty()) {
      v.problem =
          "the code that accesses it does not carry values: it copies with memcpy, or was not "
          "built with --jumble";
    }
  }
  return out;
}

Variable named_variable(const std::string& name, const SiteTable& sites) {
  Variable v;
  v.name = name;
  const std::vector<const Site*> found = sites.named(name);
  const bool is_name =
      std::any_of(found.begin(), found.end(), [&](const Site* s) { return s->name == name; });
  for (const Site* s : found) {
    if (is_name) {
      if (s->name == name) v.variables.insert(s->variable);
    } else {
      v.lines.insert(s->line);  // an object: the places where it is accessed by its own name
    }
    add_once(v.places, s->place.substr(0, s->place.rfind(':')));
  }
  if (found.empty()) {
    const std::string meant = suggestion(name, sites.names());
    v.problem = fmt::format("no code of the program accesses a variable '{}'{}", name,
                            meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant));
  }
  return v;
}

Variable variable_at(const std::string& place, const SiteTable& sites) {
  Variable v;
  v.name = place;
  const std::size_t colon = place.rfind(':');
  unsigned line = 0;
  if (colon != std::string::npos)
    line = static_cast<unsigned>(std::atoi(place.c_str() + colon + 1));
  for (const Site* s : sites.at(place.substr(0, colon), line, 0)) {
    v.lines.insert(s->line);
    add_once(v.places, s->place.substr(0, s->place.rfind(':')));
  }
  if (v.lines.empty()) v.problem = fmt::format("there is no load or store at {}", place);
  return v;
}

Variable together(const std::vector<Variable>& all) {
  Variable v;
  for (const Variable& one : all) {
    if (!one.problem.empty()) continue;
    v.name += (v.name.empty() ? "" : " + ") + one.name;
    v.variables.insert(one.variables.begin(), one.variables.end());
    v.lines.insert(one.lines.begin(), one.lines.end());
    v.all_atomics = v.all_atomics || one.all_atomics;
    v.races.insert(v.races.end(), one.races.begin(), one.races.end());
    for (const std::string& p : one.places) add_once(v.places, p);
  }
  if (v.name.empty()) v.problem = "nothing of it can be jumbled";
  return v;
}

}  // namespace steward::cli
