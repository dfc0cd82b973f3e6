#include "pass/value_hooks.h"

#include <cstdlib>
#include <cstring>
#include <set>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/variable_names.h"

namespace steward::pass {
namespace {

using namespace llvm;

std::uint32_t hash_of(StringRef text) {  // FNV-1a
  std::uint32_t h = 0x811c'9dc5;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x0100'0193;
  return h;
}

// An atomic operation is in the standard library's <atomic>, inlined where somebody means it.
const DILocation* place_of(const Instruction& access) {
  const DILocation* at = access.getDebugLoc().get();
  while (at != nullptr && access.isAtomic() && at->getInlinedAt() != nullptr &&
         at->getFilename().contains("/include/")) {
    at = at->getInlinedAt();
  }
  return at;
}

// What a hook is told of the place it is called from:
//   bits 63..32 hash of the variable's name, 0 if it has none   31..1 of file:line   0 a pointer
// The names themselves stand in a section of the program, one line a place.
class Sites {
 public:
  explicit Sites(Module& m) : module_(m), names_(m) {}

  std::uint64_t of(Instruction& access, Value* pointer, Type* type) {
    const VariableName v = names_.of(access, pointer);
    std::string place = "?:0:0";
    std::uint32_t line = 0;
    if (const DILocation* at = place_of(access)) {
      const std::string file = sys::path::filename(at->getFilename()).str();
      line = hash_of(file + ":" + std::to_string(at->getLine()));
      place = file + ":" + std::to_string(at->getLine()) + ":" + std::to_string(at->getColumn());
    }
    const std::uint32_t name = v.name.empty() ? 0 : hash_of(v.name) | 1;
    const std::uint64_t site = std::uint64_t{name} << 32 | (line & ~1u) | type->isPointerTy();
    char code[20];
    std::snprintf(code, sizeof code, "%016lx", static_cast<unsigned long>(site));
    lines_.insert(std::string(code) + "\t" + place + "\t" + v.name + "\t" + v.object + "\n");
    return site;
  }

  void write() {
    std::string text;
    for (const std::string& line : lines_) text += line;
    if (text.empty()) return;
    Constant* data = ConstantDataArray::getString(module_.getContext(), text, false);
    auto* g = new GlobalVariable(module_, data->getType(), true, GlobalValue::PrivateLinkage, data,
                                 "__steward_sites");
    g->setSection("steward_sites");
    g->setAlignment(Align(1));
    appendToUsed(module_, {g});
  }

 private:
  Module& module_;
  VariableNames names_;
  std::set<std::string> lines_;
};

// As ThreadSanitizer's pass has it: memory that no other thread can change is none of ours.
bool is_shared(Value* pointer, const Instruction& access) {
  if (access.hasMetadata(LLVMContext::MD_nosanitize)) return false;
  if (pointer->getType()->getPointerAddressSpace() != 0 || pointer->isSwiftError()) return false;
  if (const MDNode* tag = access.getMetadata(LLVMContext::MD_tbaa)) {
    if (tag->isTBAAVtableAccess()) return false;  // the vptr hooks'
  }
  Value* object = getUnderlyingObject(pointer);
  if (const auto* global = dyn_cast<GlobalVariable>(object)) return !global->isConstant();
  if (isa<AllocaInst>(object)) return PointerMayBeCaptured(object, true, true);
  return true;
}

unsigned hook_size(const DataLayout& layout, Type* type, Align align) {
  if (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy()) {
    return 0;
  }
  const std::uint64_t bits = layout.getTypeSizeInBits(type);
  if (bits != layout.getTypeStoreSizeInBits(type)) return 0;
  const std::uint64_t size = bits / 8;
  if (size != 1 && size != 2 && size != 4 && size != 8) return 0;
  return align.value() >= size ? static_cast<unsigned>(size) : 0;
}

class Rewriter {
 public:
  explicit Rewriter(Module& m) : m_(m), sites_(m), i64_(Type::getInt64Ty(m.getContext())) {}
  ~Rewriter() { sites_.write(); }

  void run(Function& f) {
    SmallVector<Instruction*, 32> plain, atomic;
    for (BasicBlock& block : f) {
      for (Instruction& i : block) {
        if (auto* load = dyn_cast<LoadInst>(&i)) {
          if (load->isAtomic()) {
            atomic.push_back(&i);
          } else if (is_shared(load->getPointerOperand(), i) && size(i) != 0) {
            plain.push_back(&i);
          }
        } else if (auto* store = dyn_cast<StoreInst>(&i)) {
          if (store->isAtomic()) {
            atomic.push_back(&i);
          } else if (is_shared(store->getPointerOperand(), i) && size(i) != 0) {
            plain.push_back(&i);
          }
        } else if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i)) {
          atomic.push_back(&i);
        }
      }
    }
    // First all names: a rewritten load is no address computation any more.
    SmallVector<std::uint64_t, 32> plain_sites;
    for (Instruction* i : plain) plain_sites.push_back(site(*i));
    for (Instruction* i : atomic) tell_site(*i);
    for (std::size_t k = 0; k < plain.size(); ++k) rewrite(*plain[k], plain_sites[k]);
  }

 private:
  static Value* pointer_of(Instruction& i) {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return rmw->getPointerOperand();
    if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) return cas->getPointerOperand();
    return const_cast<Value*>(getLoadStorePointerOperand(&i));
  }
  static Type* type_of(Instruction& i) {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return rmw->getValOperand()->getType();
    if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) return cas->getCompareOperand()->getType();
    return getLoadStoreType(&i);
  }
  unsigned size(Instruction& i) const {
    return hook_size(m_.getDataLayout(), getLoadStoreType(&i), getLoadStoreAlignment(&i));
  }
  std::uint64_t site(Instruction& i) { return sites_.of(i, pointer_of(i), type_of(i)); }

  // Atomics go through ThreadSanitizer's interface, which has no room for the place: it is left in
  // a variable of the thread's.
  void tell_site(Instruction& i) {
    auto* g = cast<GlobalVariable>(m_.getOrInsertGlobal("__steward_site", i64_));
    g->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    IRBuilder<> b(&i);
    StoreInst* s = b.CreateAlignedStore(ConstantInt::get(i64_, site(i)), g, Align(8));
    s->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(m_.getContext(), {}));
  }

  void rewrite(Instruction& i, std::uint64_t where) {
    const unsigned bytes = size(i);
    IRBuilder<> b(&i);
    auto* word = Type::getIntNTy(m_.getContext(), bytes * 8);
    auto* pointer = PointerType::getUnqual(m_.getContext());
    Value* place = ConstantInt::get(i64_, where);
    if (auto* load = dyn_cast<LoadInst>(&i)) {
      FunctionCallee hook =
          m_.getOrInsertFunction("__steward_load" + std::to_string(bytes), word, pointer, i64_);
      Value* v = b.CreateCall(hook, {load->getPointerOperand(), place});
      i.replaceAllUsesWith(from_word(b, v, i.getType()));
    } else {
      auto* store = cast<StoreInst>(&i);
      FunctionCallee hook = m_.getOrInsertFunction("__steward_store" + std::to_string(bytes),
                                                   b.getVoidTy(), pointer, word, i64_);
      Value* v = to_word(b, store->getValueOperand(), word);
      b.CreateCall(hook, {store->getPointerOperand(), v, place});
    }
    i.eraseFromParent();
  }
  static Value* from_word(IRBuilder<>& b, Value* v, Type* type) {
    return type->isPointerTy() ? b.CreateIntToPtr(v, type) : b.CreateBitCast(v, type);
  }
  static Value* to_word(IRBuilder<>& b, Value* v, Type* word) {
    return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, word) : b.CreateBitCast(v, word);
  }

  Module& m_;
  Sites sites_;
  Type* i64_;
};

}  // namespace

bool value_hooks_wanted() {
  const char* value = std::getenv("STEWARD_VALUE_HOOKS");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

void add_value_hooks(Module& module) {
  Rewriter rewriter(module);
  for (Function& f : module) {
    if (!f.isDeclaration() && f.hasFnAttribute(Attribute::SanitizeThread)) rewriter.run(f);
  }
}

}  // namespace steward::pass
