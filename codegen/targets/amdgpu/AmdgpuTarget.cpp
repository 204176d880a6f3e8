//===- AmdgpuTarget.cpp - The target behind rocm:...
//------------------------===//

#include "codegen/targets/amdgpu/AmdgpuTarget.h"
#include "codegen/kernel/GpuChips.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

class AmdgpuTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {"rocm:gfx90a", "rocm:gfx942",
                                              "rocm:gfx1100"};
    return names;
  }
  TargetInfo getInfo(StringRef name) const override {
    TargetFacts facts = *getGpuFacts(name.split(':').second);
    facts.name = name.str();
    return TargetInfo(std::move(facts));
  }
  void registerDialects(mlir::DialectRegistry &registry) const override {}
  void registerPasses() const override {}
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {}
  ArrayRef<Artefact> getArtefacts() const override { return {}; }
  Expected<ImageBytes> emit(Artefact artefact, mlir::Operation *kernels,
                            const CodegenOptions &options) const override {
    return createStringError("not available yet");
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return createStringError("not available yet");
  }
};

} // namespace

const Target &getAmdgpuTarget() {
  static const AmdgpuTarget target;
  return target;
}

} // namespace tensorc::codegen
