#include "pass/variable_names.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace steward::pass {
namespace {

using namespace llvm;

// "a::b::" of the scopes that have names; functions, files and anonymous namespaces are none.
std::string scope_prefix(const DIScope* scope) {
  if (scope == nullptr || isa<DIFile>(scope) || isa<DICompileUnit>(scope)) return {};
  if (isa<DILocalScope>(scope)) return {};
  const std::string name = scope->getName().str();
  return scope_prefix(scope->getScope()) + (name.empty() ? "" : name + "::");
}

const DIType* stripped(const DIType* type) {
  while (const auto* d = dyn_cast_or_null<DIDerivedType>(type)) {
    const unsigned tag = d->getTag();
    if (tag != dwarf::DW_TAG_typedef && tag != dwarf::DW_TAG_const_type &&
        tag != dwarf::DW_TAG_volatile_type && tag != dwarf::DW_TAG_member &&
        tag != dwarf::DW_TAG_inheritance && tag != dwarf::DW_TAG_atomic_type) {
      break;
    }
    type = d->getBaseType();
  }
  return type;
}

// "_ZTSN2ns1SE", as type-based alias analysis has it, to "ns::S". What is in an anonymous namespace
// has no such identifier in the debug information.
std::string plain_name(StringRef tag) {
  std::string name = demangle(tag);
  constexpr StringRef kPrefix = "typeinfo name for ";
  if (StringRef(name).starts_with(kPrefix)) name.erase(0, kPrefix.size());
  constexpr StringRef kAnonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(kAnonymous)) != std::string::npos;) {
    name.erase(at, kAnonymous.size());
  }
  return name;
}

bool is_record(const DIType* type) {
  const auto* c = dyn_cast_or_null<DICompositeType>(type);
  return c != nullptr &&
         (c->getTag() == dwarf::DW_TAG_structure_type || c->getTag() == dwarf::DW_TAG_class_type);
}

}  // namespace

VariableNames::VariableNames(Module& module) : layout_(module.getDataLayout()) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types()) {
    if (!is_record(type)) continue;
    const auto* c = cast<DICompositeType>(type);
    if (c->isForwardDecl()) continue;
    if (!c->getIdentifier().empty()) types_.emplace(c->getIdentifier().str(), c);
    if (!c->getName().empty()) types_.emplace(scope_prefix(c->getScope()) + c->getName().str(), c);
  }
}

// The innermost record's field at an offset of bytes.
std::string VariableNames::field_at(const DICompositeType* type, std::uint64_t offset,
                                    const std::string& outer) const {
  const std::string prefix =
      outer.empty() ? scope_prefix(type->getScope()) + type->getName().str() + "::" : outer;
  for (const DINode* node : type->getElements()) {
    const auto* member = dyn_cast<DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember()) continue;
    const bool inherits = member->getTag() == dwarf::DW_TAG_inheritance;
    if (!inherits && member->getTag() != dwarf::DW_TAG_member) continue;
    const DIType* inner = stripped(member->getBaseType());
    const std::uint64_t begin = member->getOffsetInBits() / 8;
    std::uint64_t bytes = inner != nullptr ? inner->getSizeInBits() / 8 : 0;
    if (bytes == 0) bytes = std::max<std::uint64_t>(1, member->getSizeInBits() / 8);
    if (offset < begin || offset >= begin + bytes) continue;
    if (is_record(inner)) {
      // A struct without a name is told by the field that it is: outer::field.inner.
      const bool has_name = !inner->getName().empty();
      const std::string through =
          member->getName().empty() ? prefix : prefix + member->getName().str() + ".";
      std::string deeper = field_at(cast<DICompositeType>(inner), offset - begin,
                                    has_name || inherits ? std::string() : through);
      // A wrapper such as std::atomic<int> has fields of its own that nobody knows by name.
      const bool is_wrapper =
          inner->getName().starts_with("atomic") || inner->getName().starts_with("__atomic");
      if (!deeper.empty() && !is_wrapper) return deeper;
    }
    if (inherits) continue;
    if (member->getName().empty() || prefix == "::") return {};
    return prefix + member->getName().str();
  }
  return {};
}

std::string VariableNames::field(const Instruction& access, Value* pointer) const {
  // What the front end said of the access path; there from -O1 on.
  if (const MDNode* tag = access.getMetadata(LLVMContext::MD_tbaa);
      tag != nullptr && tag->getNumOperands() >= 3 && isa<MDNode>(tag->getOperand(0))) {
    const auto* base = cast<MDNode>(tag->getOperand(0));
    const auto* offset = mdconst::dyn_extract<ConstantInt>(tag->getOperand(2));
    if (base != tag->getOperand(1).get() && offset != nullptr && base->getNumOperands() > 0) {
      if (const auto* id = dyn_cast<MDString>(base->getOperand(0))) {
        auto found = types_.find(id->getString().str());
        if (found == types_.end()) found = types_.find(plain_name(id->getString()));
        if (found != types_.end()) return field_at(found->second, offset->getZExtValue());
      }
    }
  }
  // The address computation, as long as nobody has simplified it. Offsets add up to the outermost
  // record.
  std::uint64_t below = 0;
  for (Value* v = pointer; auto* gep = dyn_cast<GEPOperator>(v); v = gep->getPointerOperand()) {
    APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(layout_, offset)) return {};
    below += offset.getZExtValue();
    const auto* record = dyn_cast<StructType>(gep->getSourceElementType());
    if (record == nullptr || !record->hasName()) continue;
    StringRef name = record->getName();
    if (!name.consume_front("struct.")) name.consume_front("class.");
    const auto found = types_.find(plain_name(name));
    if (found != types_.end()) return field_at(found->second, below);
  }
  return {};
}

VariableName VariableNames::of(Instruction& access, Value* pointer) const {
  VariableName result;
  result.name = field(access, pointer);
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer));
  if (global == nullptr) return result;
  SmallVector<DIGlobalVariableExpression*, 1> infos;
  global->getDebugInfo(infos);
  if (infos.empty()) {
    result.object = global->getName().str();
  } else {
    const DIGlobalVariable* v = infos.front()->getVariable();
    const DIDerivedType* member = v->getStaticDataMemberDeclaration();
    const DIScope* scope = member != nullptr ? member->getScope() : v->getScope();
    result.object = scope_prefix(scope) + v->getName().str();
    const DIType* type = stripped(v->getType());
    if (result.name.empty() && is_record(type)) {
      APInt offset(64, 0);
      const Value* base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
      const bool is_wrapper = type->getName().starts_with("atomic");
      if (base == global && !is_wrapper) {
        result.name = field_at(cast<DICompositeType>(type), offset.getZExtValue());
      }
    }
  }
  if (result.name.empty()) {
    result.name = result.object + (global->getValueType()->isArrayTy() ? "[]" : "");
  }
  return result;
}

}  // namespace steward::pass
