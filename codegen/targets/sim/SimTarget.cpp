//===- SimTarget.cpp - The simulator target (sim, sim:...) ----------------===//
//
// Compiles kernels of a GPU's emitters for the host, as functions of one
// thread. Only the target's facts are those of the chip.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/CpuModel.h"
#include "codegen/kernel/GpuChips.h"
#include "codegen/targets/NativeTarget.h"
#include "codegen/targets/sim/Passes.h"

using namespace llvm;

namespace tensorc::codegen {

/// The chip that "sim" without a name simulates.
static constexpr StringLiteral kUsualChip = "sm_90a";

namespace {

class SimTarget : public NativeTarget {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {"sim", "sim:sm_80", "sim:sm_90a",
                                              "sim:gfx942", "sim:gfx1100"};
    return names;
  }
  Error checkMachine(StringRef) const override {
    return getCpuModel("cpu").takeError();
  }
  /// Simulated kernels are native code of the host.
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
    addNativeExpandPasses(kernels, cantFail(getCpuModel("cpu")));
    kernels.addPass(createConvertHostToLLVMPass());
    kernels.addPass(createLowerAccessesPass());
  }

  ArrayRef<Artefact> getArtefacts() const override {
    // An object file is not offered: a program that links it could not run a
    // grid of fibers.
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
