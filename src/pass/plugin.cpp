// Instruments what ThreadSanitizer's pass does, by that very pass, and then puts our own checks in
// front of its calls. It runs where clang would run that pass, or just before: the function is then
// marked as done, so that clang's own finds nothing left to do.
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "pass/inline_checks.h"
#include "pass/instructions.h"
#include "pass/llvm_compat.h"
#include "pass/pointer_hooks.h"
#include "pass/prefetches.h"
#include "pass/redundant.h"
#include "pass/runs.h"
#include "pass/unrolled.h"
#include "pass/value_hooks.h"
#include "pass/versions.h"

namespace {

using namespace llvm;

struct StewardPass : PassInfoMixin<StewardPass> {
  PreservedAnalyses run(Module& m, ModuleAnalysisManager& modules) {
    auto& functions = modules.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
    bool changed = false;
    const bool pointers = steward::pass::pointer_hooks_wanted();
    if (steward::pass::value_hooks_wanted()) steward::pass::add_value_hooks(m);
    for (Function& f : m) {
      if (f.isDeclaration() || !f.hasFnAttribute(Attribute::SanitizeThread)) continue;
      ThreadSanitizerPass().run(f, functions);
      functions.invalidate(f, PreservedAnalyses::none());
      instrument(f, functions);
      if (pointers) steward::pass::add_pointer_hooks(f);
      f.removeFnAttr(Attribute::SanitizeThread);
      f.addFnAttr(Attribute::DisableSanitizerInstrumentation);
      functions.invalidate(f, PreservedAnalyses::none());
      changed = true;
    }
    if (pointers) steward::pass::announce_pointer_hooks(m);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  // What is left out is told by -Rpass=steward.
  static void instrument(Function& f, FunctionAnalysisManager& functions) {
    if (steward::pass::counts_wanted()) {
      steward::pass::record_runs(f, functions);
      return;
    }
    const auto runs = steward::pass::check_runs(f, functions);
    const auto redundant = steward::pass::remove_redundant(f);
    const unsigned unrolled = f.hasOptNone() ? 0 : steward::pass::join_unrolled(f);
    steward::pass::prefetch_shadow(f);
    steward::pass::make_versions(f);
    const unsigned joined = unrolled + steward::pass::inline_checks(f);
    if (runs.checks + redundant.repeated + redundant.announced + joined == 0) return;
    OptimizationRemarkEmitter remarks(&f);
    remarks.emit([&] {
      return OptimizationRemark("steward", "Removed", f.getSubprogram(), &f.getEntryBlock())
             << "checks in " << ore::NV("Function", &f) << ": " << ore::NV("Runs", runs.checks)
             << " left their loops, " << ore::NV("Repeated", redundant.repeated)
             << " repeated one before, " << ore::NV("Announced", redundant.announced)
             << " come before one as strong, " << ore::NV("Joined", joined)
             << " share a neighbour's";
    });
  }

  static bool isRequired() { return true; }  // optnone functions too
};

}  // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "steward", "1", steward::pass::run_last<StewardPass>};
}
