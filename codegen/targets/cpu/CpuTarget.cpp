//===- CpuTarget.cpp - The cpu target (cpu, cpu:...) ----------------------===//

#include "codegen/targets/cpu/CpuTarget.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/targets/NativeTarget.h"
#include "codegen/targets/cpu/Passes.h"

using namespace llvm;

namespace tensorc::codegen {

Error addCpuLowerPasses(mlir::OpPassManager &pm,
                        const CodegenOptions &options) {
  Expected<const CpuModel &> cpu = getCpuModel(options.target);
  if (!cpu)
    return cpu.takeError();
  addNativeExpandPasses(pm, *cpu);
  pm.addPass(createConvertKernelsToLLVMPass());
  return Error::success();
}

namespace {

class CpuTarget : public NativeTarget {
public:
  ArrayRef<StringLiteral> getNames() const override { return getCpuNames(); }
  Error checkMachine(StringRef name) const override {
    return getCpuModel(name).takeError();
  }
  std::string getIdentity(StringRef name) const override {
    return name.str() + " " + cantFail(getCpuModel(name)).getIdentity() +
           (name == "cpu" ? getHostCostIdentity() : "");
  }
  TargetInfo getInfo(StringRef name) const override { return getCpuInfo(name); }
  SkeletonList getSkeletons(StringRef) const override {
    return simd::listSkeletons();
  }

  void registerPasses() const override { registerCpuPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    cantFail(addCpuLowerPasses(pm.nest<mlir::ModuleOp>(), options));
  }

  ArrayRef<Artefact> getArtefacts() const override {
    static constexpr Artefact artefacts[] = {llvmText, assemblyText,
                                             objectFile};
    return artefacts;
  }

protected:
  NativeOptions toNative(const CodegenOptions &options) const override {
    return {options.target, options.optLevel, options.onKernel,
            options.threads};
  }
};

} // namespace

const Target &getCpuTarget() {
  static const CpuTarget target;
  return target;
}

} // namespace tensorc::codegen
