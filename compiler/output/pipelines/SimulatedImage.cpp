//===- SimulatedImage.cpp - Simulated kernels for tests without a GPU -----===//

#include "compiler/output/pipelines/SimulatedImage.h"

#include "compiler/log/Environment.h"
#include "runtime/abi/Sim.h"
#include "llvm/Support/Base64.h"

using namespace mlir;

namespace tensorc::compiler {

bool embedsSimulated() {
  static const bool isOn = readSwitch("TENSORC_EMBED_SIMULATED");
  return isOn;
}

bool holdsOnlySimulated() {
  static const bool isOn = readSwitch("TENSORC_SIMULATED_ONLY");
  return isOn;
}

/// Returns the simulator's target for the GPU's chip, or for a chip that runs
/// the same kernels; empty if there is none.
static std::string getSimulated(const codegen::TargetInfo &gpu,
                                StringRef name) {
  const codegen::Target &sim = llvm::cantFail(codegen::findTarget("sim"));
  StringRef plain = codegen::withoutTransforms(name);
  std::string best;
  for (StringRef chip : sim.getNames()) {
    if (chip.split(':').second == plain.split(':').second)
      return chip.str();
    codegen::TargetInfo info = sim.getInfo(chip);
    if (best.empty() && info.getSubgroupSize() == gpu.getSubgroupSize() &&
        info.getSharedMemoryBytes() >= gpu.getSharedMemoryBytes())
      best = chip.str();
  }
  return best;
}

FailureOr<std::string> simulatedImage(ModuleOp emitted,
                                      const CompileOptions &options) {
  codegen::TargetInfo info =
      llvm::cantFail(codegen::getTargetInfo(options.target));
  bool isSimulated = StringRef(options.target).starts_with("sim");
  CompileOptions simulated = options;
  simulated.target =
      info.isSimt() && !isSimulated ? getSimulated(info, options.target) : "";
  if (simulated.target.empty())
    return std::string();
  simulated.dumpDir.clear();
  simulated.onKernel = nullptr;
  simulated.onStage = nullptr;
  OwningOpRef<ModuleOp> copy = emitted.clone();
  if (failed(runStages(*copy, simulated, Stage::Emit, Stage::Lower)))
    return failure();
  Operation *kernels = copy->lookupSymbol(codegen::kKernelsName);
  if (!kernels || kernels->getRegion(0).front().empty())
    return std::string();
  auto image = llvm::cantFail(codegen::findTarget(simulated.target))
                   .compileToImage(kernels, codegenOptions(simulated));
  if (!image)
    return emitted.emitError(llvm::toString(image.takeError())), failure();
  return rt::simulatedMark + llvm::encodeBase64(*image) + "\n";
}

} // namespace tensorc::compiler
