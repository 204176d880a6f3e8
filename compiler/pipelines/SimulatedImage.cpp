//===- SimulatedImage.cpp - Kernels for tests without a GPU ---------------===//

#include "compiler/pipelines/SimulatedImage.h"

#include "runtime/abi/Sim.h"
#include "llvm/Support/Base64.h"
#include <cstdlib>

using namespace mlir;

namespace tensorc::compiler {

bool embedsSimulated() {
  const char *value = std::getenv("TENSORC_EMBED_SIMULATED");
  return value && StringRef(value) == "1";
}

FailureOr<std::string> simulatedImage(ModuleOp emitted,
                                      const CompileOptions &options) {
  auto [kind, chip] = StringRef(options.target).split(':');
  CompileOptions simulated = options;
  simulated.target = ("sim:" + chip).str();
  simulated.dumpDir.clear();
  simulated.onKernel = nullptr;
  simulated.onStage = nullptr;
  auto target = codegen::findTarget(simulated.target);
  if (!target || kind == "sim") {
    llvm::consumeError(target.takeError());
    return std::string();
  }
  OwningOpRef<ModuleOp> copy = emitted.clone();
  if (failed(runStages(*copy, simulated, Stage::Emit, Stage::Lower)))
    return failure();
  Operation *kernels = copy->lookupSymbol(codegen::kKernelsName);
  if (!kernels || kernels->getRegion(0).front().empty())
    return std::string();
  auto image = target->compileToImage(kernels, codegenOptions(simulated));
  if (!image)
    return emitted.emitError(llvm::toString(image.takeError())), failure();
  return rt::simulatedMark + llvm::encodeBase64(*image) + "\n";
}

} // namespace tensorc::compiler
