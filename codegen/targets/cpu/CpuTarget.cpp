//===- CpuTarget.cpp - The target behind cpu and cpu:... ------------------===//

#include "codegen/targets/cpu/CpuTarget.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/native/NativeCode.h"
#include "codegen/targets/cpu/Passes.h"

using namespace llvm;

namespace tensorc::codegen {

Error addCpuLowerPasses(mlir::OpPassManager &pm,
                        const CodegenOptions &options) {
  Expected<CpuModel> cpu = getCpuModel(options.target);
  if (!cpu)
    return cpu.takeError();
  addNativeExpandPasses(pm, *cpu);
  pm.addPass(createConvertKernelsToLLVMPass());
  return Error::success();
}

static NativeOptions toNative(const CodegenOptions &options) {
  return {options.target, options.optLevel, options.onKernel};
}

namespace {

class CpuTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override { return getCpuNames(); }
  TargetInfo getInfo(StringRef name) const override { return getCpuInfo(name); }
  SkeletonList getSkeletons(StringRef) const override {
    return simd::listSkeletons();
  }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    registerNativeTranslations(registry);
  }
  void registerPasses() const override { registerCpuPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    cantFail(addCpuLowerPasses(pm.nest<mlir::ModuleOp>(), options));
  }

  ArrayRef<Artefact> getArtefacts() const override {
    static constexpr Artefact artefacts[] = {Artefact::LLVM, Artefact::Assembly,
                                             Artefact::Object};
    return artefacts;
  }
  Expected<ImageBytes> emit(Artefact artefact, mlir::Operation *kernels,
                            const CodegenOptions &options) const override {
    auto module = cast<mlir::ModuleOp>(kernels);
    if (artefact == Artefact::Object)
      return emitObject(module, toNative(options));
    Expected<std::string> text = artefact == Artefact::LLVM
                                     ? emitLLVM(module, toNative(options))
                                     : emitAsm(module, toNative(options));
    if (!text)
      return text.takeError();
    return ImageBytes(text->begin(), text->end());
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return codegen::compileToImage(cast<mlir::ModuleOp>(kernels),
                                   toNative(options));
  }
};

} // namespace

const Target &getCpuTarget() {
  static const CpuTarget target;
  return target;
}

} // namespace tensorc::codegen
