// What a load or store accesses, as people name it: `counter`, `ns::Config::ready`, `table[]`.
#pragma once

#include <map>
#include <string>

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"

namespace steward::pass {

struct VariableName {
  std::string name;    // of the field, else of the global; empty: not known
  std::string object;  // the global that it is in; empty: none, or not known
};

class VariableNames {
 public:
  explicit VariableNames(llvm::Module& module);

  VariableName of(llvm::Instruction& access, llvm::Value* pointer) const;

 private:
  std::string field(const llvm::Instruction& access, llvm::Value* pointer) const;
  // `outer`: what to put in front instead of the record's own name.
  std::string field_at(const llvm::DICompositeType* type, std::uint64_t offset,
                       const std::string& outer = {}) const;

  const llvm::DataLayout& layout_;
  // By the name that type-based alias analysis uses (C++: the mangled one), and by the plain one.
  std::map<std::string, const llvm::DICompositeType*> types_;
};

}  // namespace steward::pass
