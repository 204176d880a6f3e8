//===- NvptxTarget.cpp - The target behind cuda:...
//------------------------===//

#include "codegen/targets/nvptx/NvptxTarget.h"
#include "codegen/kernel/GpuChips.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

class NvptxTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {
        "cuda:sm_75", "cuda:sm_80",  "cuda:sm_86", "cuda:sm_89",
        "cuda:sm_90", "cuda:sm_90a", "cuda:sm_100"};
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

const Target &getNvptxTarget() {
  static const NvptxTarget target;
  return target;
}

} // namespace tensorc::codegen
