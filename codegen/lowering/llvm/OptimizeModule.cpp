//===- OptimizeModule.cpp - LLVM passes between translation and codegen ---===//

#include "codegen/lowering/llvm/OptimizeModule.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace tensorc::codegen {

static FunctionPassManager getShortList(unsigned optLevel) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  if (optLevel >= 2) {
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass());
    // Wide accesses need their alignment known: 16 bytes on GPUs.
    passes.addPass(InferAlignmentPass());
  }
  return passes;
}

void optimizeModule(Module &module, TargetMachine &machine, unsigned optLevel) {
  if (optLevel == 0)
    return;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  PassBuilder builder(&machine, tuning);
  // No library functions: an image imports nothing.
  TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (optLevel >= 3) {
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
        .run(module, modules);
    return;
  }
  FunctionPassManager passes = getShortList(optLevel);
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

} // namespace tensorc::codegen
