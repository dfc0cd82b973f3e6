// Instruments what ThreadSanitizer's pass does, by that very pass, and then puts our own checks in
// front of its calls. It runs where clang would run that pass, or just before: the function is then
// marked as done, so that clang's own finds nothing left to do.
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "pass/inline_checks.h"
#include "pass/llvm_compat.h"
#include "pass/redundant.h"
#include "pass/runs.h"
#include "pass/versions.h"

namespace {

using namespace llvm;

struct StewardPass : PassInfoMixin<StewardPass> {
  PreservedAnalyses run(Module& m, ModuleAnalysisManager& modules) {
    auto& functions = modules.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
    bool changed = false;
    for (Function& f : m) {
      if (f.isDeclaration() || !f.hasFnAttribute(Attribute::SanitizeThread)) continue;
      ThreadSanitizerPass().run(f, functions);
      functions.invalidate(f, PreservedAnalyses::none());
      steward::pass::check_runs(f, functions);
      steward::pass::remove_redundant(f);
      steward::pass::make_versions(f);
      steward::pass::inline_checks(f);
      f.removeFnAttr(Attribute::SanitizeThread);
      f.addFnAttr(Attribute::DisableSanitizerInstrumentation);
      functions.invalidate(f, PreservedAnalyses::none());
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }  // optnone functions too
};

}  // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "steward", "1", steward::pass::run_last<StewardPass>};
}
