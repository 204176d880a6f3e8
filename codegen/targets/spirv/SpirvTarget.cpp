//===- SpirvTarget.cpp - The targets behind opencl... and vulkan... -------===//
//
// The image of a package's section is a SPIR-V module, which the device's
// driver compiles for the processor that it finds.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/lowering/Passes.h"
#include "codegen/targets/Target.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

constexpr Artefact spirvFile{"spirv", ".spv", false};

/// Suffix of a name: the device has no f64 and no atomics on 64-bit integers.
constexpr StringLiteral kNarrow = ":f32";

class SpirvTarget : public Target {
public:
  explicit SpirvTarget(ArrayRef<StringLiteral> names) : names(names) {}

  ArrayRef<StringLiteral> getNames() const override { return names; }

  /// Only facts that every driver guarantees, as one module runs on all.
  TargetInfo getInfo(StringRef name) const override {
    TargetFacts facts;
    facts.name = name.str();
    facts.vectorBytes = 4;
    facts.vectorRegisters = 63;
    facts.fma = true;
    facts.gather = true;
    facts.l1Bytes = 32 << 10;
    facts.l2Bytes = 1 << 20;
    facts.cacheLineBytes = 64;
    facts.f64 = facts.int64Atomics = !name.ends_with(kNarrow);
    facts.simt = true;
    facts.subgroupSize = 32;
    facts.subgroupSizes = {32, 32};
    facts.maxBlockThreads = 256;
    facts.sharedMemoryBytes = facts.maxSharedMemoryBytes = 32 << 10;
    return TargetInfo(std::move(facts));
  }

  SkeletonList getSkeletons(StringRef) const override {
    return simt::listSkeletons();
  }

  void registerDialects(mlir::DialectRegistry &) const override {}
  void registerPasses() const override {}
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    addSimtExpansions(pm.nest<mlir::gpu::GPUModuleOp>(),
                      getInfo(options.target));
  }

  ArrayRef<Artefact> getArtefacts() const override { return spirvFile; }
  Expected<ImageBytes> emit(const Artefact &, mlir::Operation *,
                            const CodegenOptions &options) const override {
    return createStringError("no code is generated for " + options.target +
                             " yet");
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return emit(spirvFile, kernels, options);
  }

private:
  ArrayRef<StringLiteral> names;
};

} // namespace

const Target &getOpenclTarget() {
  static constexpr StringLiteral names[] = {"opencl", "opencl:f32"};
  static const SpirvTarget target(names);
  return target;
}

const Target &getVulkanTarget() {
  static constexpr StringLiteral names[] = {"vulkan", "vulkan:f32"};
  static const SpirvTarget target(names);
  return target;
}

} // namespace tensorc::codegen
