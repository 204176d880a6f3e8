//===- AmdgpuTarget.cpp - The amdgpu target (rocm:...) --------------------===//
//
// The image is a code object: an object of LLVM, linked by lld in this process.
// ROCm need not be installed.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/kernel/GpuChips.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/lowering/llvm/Link.h"
#include "codegen/targets/Target.h"
#include "codegen/targets/amdgpu/Passes.h"
#include "runtime/abi/TileTargets.h"

#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

namespace tensorc::codegen {
namespace {

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
  });
}

/// Attributes for inputs of a dispatch that kernels never use, so that they
/// need not be provided. LLVM infers these attributes only in its full
/// pipeline.
constexpr StringLiteral unusedInputs[] = {
    "amdgpu-no-completion-action",  "amdgpu-no-default-queue",
    "amdgpu-no-dispatch-id",        "amdgpu-no-dispatch-ptr",
    "amdgpu-no-heap-ptr",           "amdgpu-no-hostcall-ptr",
    "amdgpu-no-implicitarg-ptr",    "amdgpu-no-lds-kernel-id",
    "amdgpu-no-multigrid-sync-arg", "amdgpu-no-queue-ptr",
    "amdgpu-no-workgroup-id-y",     "amdgpu-no-workgroup-id-z",
    "amdgpu-no-workitem-id-y",      "amdgpu-no-workitem-id-z"};

/// Code object version 5, which every ROCm since 5.3 loads.
constexpr uint32_t kCodeObjectVersion = 500;

/// Marks atomics as accessing the device's own memory, where atomics on floats
/// are exact. Without this metadata, LLVM expands them to compare-and-swap
/// loops.
void allowFloatAtomics(Function &function) {
  MDNode *none = MDNode::get(function.getContext(), {});
  for (Instruction &instruction : instructions(function))
    if (isa<AtomicRMWInst>(instruction)) {
      instruction.setMetadata("amdgpu.no.fine.grained.memory", none);
      instruction.setMetadata("amdgpu.no.remote.memory", none);
    }
}

void prepare(Module &module) {
  module.addModuleFlag(Module::Error, "amdhsa_code_object_version",
                       kCodeObjectVersion);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(Attribute::NoUnwind);
    for (StringRef input : unusedInputs)
      function.addFnAttr(input);
    allowFloatAtomics(function);
  }
}

constexpr Artefact hsacoFile{"hsaco", ".hsaco", false};

/// Removes the suffix of a target without matrix instructions. Returns false if
/// there is none.
bool consumeWithoutTiles(StringRef &target) {
  return target.consume_back(rt::withoutMfma) ||
         target.consume_back(rt::withoutWmma);
}

bool hasTiles(StringRef target) {
  StringRef plain = withoutTransforms(target);
  return !consumeWithoutTiles(plain);
}

StringRef getChipName(StringRef target) {
  StringRef plain = withoutTransforms(target);
  consumeWithoutTiles(plain);
  return plain.split(':').second;
}

class AmdgpuTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {
        "rocm:gfx90a",      "rocm:gfx942",      "rocm:gfx950",
        "rocm:gfx90a-mfma", "rocm:gfx942-mfma", "rocm:gfx950-mfma",
        "rocm:gfx1100",     "rocm:gfx1200",     "rocm:gfx1100-wmma",
        "rocm:gfx1200-wmma"};
    return names;
  }
  /// Code runs only on its own chip.
  ArrayRef<StringLiteral> getVariants() const override {
    static constexpr StringLiteral names[] = {"rocm:gfx90a", "rocm:gfx942",
                                              "rocm:gfx950", "rocm:gfx1100",
                                              "rocm:gfx1200"};
    return names;
  }
  TargetInfo getInfo(StringRef name) const override {
    TargetFacts facts = *getGpuFacts(getChipName(name));
    facts.name = name.str();
    if (!hasTiles(name))
      facts.matrixUnit = MatrixUnit::None;
    return TargetInfo(std::move(facts));
  }

  StringRef getTargetWithoutTiles(StringRef name) const override {
    static constexpr struct {
      StringLiteral name, simpler;
    } all[] = {
        {"rocm:gfx90a", "rocm:gfx90a-mfma"},
        {"rocm:gfx942", "rocm:gfx942-mfma"},
        {"rocm:gfx950", "rocm:gfx950-mfma"},
        {"rocm:gfx1100", "rocm:gfx1100-wmma"},
        {"rocm:gfx1200", "rocm:gfx1200-wmma"},
        {"rocm:gfx90a+fft", "rocm:gfx90a-mfma+fft"},
        {"rocm:gfx942+fft", "rocm:gfx942-mfma+fft"},
        {"rocm:gfx950+fft", "rocm:gfx950-mfma+fft"},
        {"rocm:gfx1100+fft", "rocm:gfx1100-wmma+fft"},
        {"rocm:gfx1200+fft", "rocm:gfx1200-wmma+fft"},
    };
    for (const auto &each : all)
      if (each.name == name)
        return each.simpler;
    return {};
  }

  SkeletonList getSkeletons(StringRef) const override {
    return simt::listSkeletons();
  }

  bool hasTransforms() const override { return true; }
  StringRef getIntrinsicPrefix() const override { return "amdgcn"; }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::ROCDL::ROCDLDialect>();
    mlir::registerGPUDialectTranslation(registry);
    mlir::registerROCDLDialectTranslation(registry);
  }
  void registerPasses() const override { registerAmdgpuPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    mlir::OpPassManager &kernels = pm.nest<mlir::gpu::GPUModuleOp>();
    addSimtExpansions(kernels, getInfo(options.target), {.f16 = true});
    kernels.addPass(
        createConvertKernelsToROCDLPass({getChipName(options.target).str()}));
  }

  ArrayRef<Artefact> getArtefacts() const override {
    static constexpr Artefact artefacts[] = {llvmText, assemblyText, hsacoFile};
    return artefacts;
  }
  Expected<ImageBytes> emit(const Artefact &artefact, mlir::Operation *kernels,
                            const CodegenOptions &options) const override {
    MachineSpec spec{"amdgcn-amd-amdhsa", getChipName(options.target).str(), "",
                     initialize};
    auto compilation =
        LLVMCompilation::create(kernels, spec, options.optLevel, prepare);
    if (!compilation)
      return compilation.takeError();
    if (artefact == llvmText) {
      std::string text = (*compilation)->print();
      return ImageBytes(text.begin(), text.end());
    }
    bool isText = artefact == assemblyText;
    ImageBytes code;
    if (Error error = (*compilation)
                          ->emit(isText ? CodeGenFileType::AssemblyFile
                                        : CodeGenFileType::ObjectFile,
                                 code))
      return error;
    if (isText)
      return code;
    return linkElf(ArrayRef<char>(code), {});
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return emit(hsacoFile, kernels, options);
  }
};

} // namespace

const Target &getAmdgpuTarget() {
  static const AmdgpuTarget target;
  return target;
}

} // namespace tensorc::codegen
