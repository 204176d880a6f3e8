//===- SpirvTarget.cpp - The targets opencl, vulkan and metal -------------===//
//
// The image in a package is a SPIR-V module, which the driver compiles for the
// device at hand. For Metal it is source text that is printed from the module.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/spirv/Passes.h"
#include "codegen/targets/Target.h"
#include "codegen/targets/spirv/PrintMetal.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Target/SPIRV/Serialization.h"
#include "mlir/Transforms/Passes.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

constexpr Artefact spirvFile{"spirv", ".spv", false},
    metalText{"msl", ".metal", true};

/// Suffix of a target string for devices without f64 and without atomics on
/// 64-bit integers.
constexpr StringLiteral narrowSuffix = ":f32";

class SpirvTarget : public Target {
public:
  SpirvTarget(ArrayRef<StringLiteral> names, SpirvFlavour flavour,
              const Artefact &artefact = spirvFile)
      : names(names), flavour(flavour), artefact(artefact) {}

  ArrayRef<StringLiteral> getNames() const override { return names; }

  /// Returns conservative facts that hold for every device, because one module
  /// runs on all. Support for f64 and 64-bit atomics follows from the name, and
  /// Metal has neither.
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
    facts.f64 = facts.int64Atomics =
        !name.ends_with(narrowSuffix) && artefact == spirvFile;
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

  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::spirv::SPIRVDialect>();
  }
  void registerPasses() const override { registerLoweringSpirvPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    TargetInfo info = getInfo(options.target);
    addSimtExpansions(pm.nest<mlir::gpu::GPUModuleOp>(), info,
                      NativeConversions());
    pm.addPass(createConvertKernelsToSpirvPass(
        {flavour, info.hasDoubles(), info.hasInt64Atomics()}));
    pm.nest<mlir::spirv::ModuleOp>().addPass(mlir::createCSEPass());
  }
  bool isLowered(mlir::Operation *op) const override {
    return isa_and_present<mlir::spirv::SPIRVDialect>(op->getDialect());
  }

  ArrayRef<Artefact> getArtefacts() const override { return artefact; }
  Expected<ImageBytes> emit(const Artefact &, mlir::Operation *kernels,
                            const CodegenOptions &) const override {
    auto module = cast<mlir::spirv::ModuleOp>(kernels);
    if (artefact == metalText) {
      mlir::FailureOr<std::string> text = printMetal(module);
      if (failed(text))
        return createStringError("the kernels cannot be printed");
      return ImageBytes(text->begin(), text->end());
    }
    SmallVector<uint32_t, 0> words;
    if (failed(mlir::spirv::serialize(module, words)))
      return createStringError("the kernels cannot be serialized");
    StringRef bytes(reinterpret_cast<const char *>(words.data()),
                    words.size() * sizeof(uint32_t));
    return ImageBytes(bytes.begin(), bytes.end());
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return emit(artefact, kernels, options);
  }

private:
  ArrayRef<StringLiteral> names;
  SpirvFlavour flavour;
  Artefact artefact;
};

} // namespace

const Target &getOpenclTarget() {
  static constexpr StringLiteral names[] = {"opencl", "opencl:f32"};
  static const SpirvTarget target(names, SpirvFlavour::Kernel);
  return target;
}

const Target &getVulkanTarget() {
  static constexpr StringLiteral names[] = {"vulkan", "vulkan:f32"};
  static const SpirvTarget target(names, SpirvFlavour::Shader);
  return target;
}

const Target &getMetalTarget() {
  static constexpr StringLiteral names[] = {"metal"};
  static const SpirvTarget target(names, SpirvFlavour::Kernel, metalText);
  return target;
}

} // namespace tensorc::codegen
