//===- SimTarget.cpp - The simulator target (sim, sim:...) ----------------===//
//
// Compiles GPU kernels to host functions, each call of which runs one thread.
// The target has the properties of the simulated chip.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/CpuModel.h"
#include "codegen/kernel/GpuChips.h"
#include "codegen/targets/NativeTarget.h"
#include "codegen/targets/sim/Passes.h"

using namespace llvm;

namespace tensorc::codegen {

/// The chip that is simulated if the target is just "sim".
static constexpr StringLiteral kUsualChip = "sm_90a";

namespace {

class SimTarget : public NativeTarget {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {"sim",         "sim:sm_80",
                                              "sim:sm_90a",  "sim:gfx942",
                                              "sim:gfx1100", "sim:gfx1200"};
    return names;
  }
  Error checkMachine(StringRef) const override {
    return getCpuModel("cpu").takeError();
  }
  /// Simulated kernels are native code, so they also depend on the host.
  std::string getIdentity(StringRef name) const override {
    return name.str() + " " + cantFail(getCpuModel("cpu")).getIdentity();
  }
  TargetInfo getInfo(StringRef name) const override {
    TargetFacts facts = *getGpuFacts(getSimulatedChip(name));
    facts.name = name.str();
    return TargetInfo(std::move(facts));
  }
  StringRef getSimulatedChip(StringRef name) const override {
    StringRef chip = name.split(':').second;
    return chip.empty() ? StringRef(kUsualChip) : chip;
  }

  void registerPasses() const override { registerSimPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    TargetInfo info = getInfo(options.target);
    ConvertSimtToHostPassOptions simt;
    simt.matrixUnit = info.getMatrixUnit();
    simt.subgroupSize = info.getSubgroupSize();
    simt.sharedMemoryBytes = info.getSharedMemoryBytes();
    simt.maxSharedMemoryBytes = info.getMaxSharedMemoryBytes();
    pm.addPass(createConvertSimtToHostPass(simt));
    mlir::OpPassManager &kernels = pm.nest<mlir::ModuleOp>();
    kernels.addPass(createCountInstructionsPass());
    addNativeExpandPasses(kernels, cantFail(getCpuModel("cpu")));
    kernels.addPass(createConvertHostToLLVMPass());
    kernels.addPass(createLowerAccessesPass());
  }

  ArrayRef<Artefact> getArtefacts() const override {
    // Object files are not offered, because a program that links with one could
    // not run a grid of fibers.
    static constexpr Artefact artefacts[] = {llvmText, assemblyText};
    return artefacts;
  }

protected:
  NativeOptions toNative(const CodegenOptions &options) const override {
    return {"cpu", options.optLevel};
  }
};

} // namespace

const Target &getSimTarget() {
  static const SimTarget target;
  return target;
}

} // namespace tensorc::codegen
