//===- NvptxTarget.cpp - The nvptx target (cuda:...) ----------------------===//
//
// The image in a package is PTX, which the driver assembles for the current
// GPU. It also runs on GPUs that are newer than the target, unless the name of
// the target ends in a letter.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/kernel/GpuChips.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/targets/Target.h"
#include "codegen/targets/nvptx/Assembler.h"
#include "codegen/targets/nvptx/CudaCompiler.h"
#include "codegen/targets/nvptx/HopperContraction.h"
#include "codegen/targets/nvptx/Passes.h"
#include "runtime/abi/PtxChips.h"

#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

namespace tensorc::codegen {
namespace {

constexpr Artefact ptxText{"ptx", ".ptx", true},
    cubinFile{"cubin", ".cubin", false};

StringRef getChipName(StringRef target) {
  return withoutTransforms(target).split(':').second;
}

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

Expected<std::unique_ptr<LLVMCompilation>>
compile(mlir::Operation *kernels, const CodegenOptions &options) {
  const rt::PtxChip &chip = *rt::findPtxChip(withoutTransforms(options.target));
  MachineSpec spec{"nvptx64-nvidia-cuda", getChipName(chip.name).str(),
                   chip.features, initialize};
  return LLVMCompilation::create(kernels, spec, options.optLevel,
                                 [](Module &module) {
                                   for (Function &function : module)
                                     function.addFnAttr(Attribute::NoUnwind);
                                 });
}

class NvptxTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override {
    static constexpr StringLiteral names[] = {
#define X(name, features, driver) name,
        TENSORC_PTX_CHIPS(X)
#undef X
    };
    return names;
  }
  /// A chip without its own variant has the same matrix instructions and copies
  /// as an earlier chip, whose PTX it runs.
  ArrayRef<StringLiteral> getVariants() const override {
    static constexpr StringLiteral names[] = {"cuda:sm_75", "cuda:sm_80",
                                              "cuda:sm_90a"};
    return names;
  }
  /// Returns `reported` if it is known. For an unknown chip, returns the newest
  /// known one that is older and whose PTX runs there (its name does not end in
  /// a letter).
  std::string getNameFor(StringRef reported) const override {
    if (is_contained(getNames(), reported))
      return reported.str();
    auto numberOf = [](StringRef name) {
      unsigned number = 0;
      StringRef chip = getChipName(name);
      return chip.consume_front("sm_") && !chip.consumeInteger(10, number)
                 ? number
                 : 0;
    };
    StringRef best = reported;
    unsigned newest = 0, limit = numberOf(reported);
    for (StringRef name : getNames())
      if (unsigned number = numberOf(name);
          isDigit(name.back()) && number <= limit && number > newest) {
        newest = number;
        best = name;
      }
    return best.str();
  }
  TargetInfo getInfo(StringRef name) const override {
    TargetFacts facts = *getGpuFacts(getChipName(name));
    facts.name = name.str();
    return TargetInfo(std::move(facts));
  }

  SkeletonList getSkeletons(StringRef name) const override {
    static const auto withHopper = [] {
      SmallVector<const Skeleton *> list{&hopperContraction};
      append_range(list, simt::listSkeletons());
      return list;
    }();
    return getChipName(name) == "sm_90a" ? SkeletonList(withHopper)
                                         : simt::listSkeletons();
  }

  /// First removes wgmma and tensor copies, then mma.sync, ldmatrix and
  /// cp.async.
  StringRef getTargetWithoutTiles(StringRef name) const override {
    if (getChipName(name) == "sm_90a")
      return callsTransforms(name) ? "cuda:sm_90+fft" : "cuda:sm_90";
    if (getInfo(name).getMatrixUnit() == MatrixUnit::None)
      return {};
    return callsTransforms(name) ? "cuda:sm_75+fft" : "cuda:sm_75";
  }

  bool hasTransforms() const override { return true; }
  StringRef getIntrinsicPrefix() const override { return "nvvm"; }
  bool supportsInlineAssembly() const override { return true; }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::NVVM::NVVMDialect>();
    mlir::registerGPUDialectTranslation(registry);
    mlir::registerNVVMDialectTranslation(registry);
  }
  void registerPasses() const override { registerNvptxPasses(); }
  void addLowerPasses(mlir::OpPassManager &pm,
                      const CodegenOptions &options) const override {
    mlir::OpPassManager &kernels = pm.nest<mlir::gpu::GPUModuleOp>();
    TargetInfo info = getInfo(options.target);
    // sm_80 added cvt to bf16 together with mma.sync of bf16.
    bool roundsBFloat = info.getMatrixUnit() != MatrixUnit::None;
    addSimtExpansions(kernels, info,
                      {.f16 = true, .roundsBFloat = roundsBFloat});
    kernels.addPass(createConvertKernelsToNVVMPass());
  }

  ArrayRef<Artefact> getArtefacts() const override {
    static constexpr Artefact artefacts[] = {llvmText, ptxText, cubinFile};
    return artefacts;
  }
  Expected<ImageBytes> emit(const Artefact &artefact, mlir::Operation *kernels,
                            const CodegenOptions &options) const override {
    auto compilation = compile(kernels, options);
    if (!compilation)
      return compilation.takeError();
    if (artefact == llvmText) {
      std::string text = (*compilation)->print();
      return ImageBytes(text.begin(), text.end());
    }
    ImageBytes ptx;
    if (Error error = (*compilation)->emit(CodeGenFileType::AssemblyFile, ptx))
      return error;
    if (artefact == ptxText)
      return ptx;
    return assemblePtx(StringRef(ptx.data(), ptx.size()),
                       getChipName(options.target), options.optLevel);
  }
  Expected<CompiledSource>
  compileSource(const KernelSource &source,
                const CodegenOptions &options) const override {
    if (source.language != rt::cudaLanguage.name)
      return Target::compileSource(source, options);
    return compileCuda(source, getChipName(options.target));
  }
  Error checkCompiled(StringRef image,
                      const Artefact &artefact) const override {
    bool isBinary = image.starts_with("\177ELF");
    if (artefact == (isBinary ? cubinFile : ptxText))
      return Error::success();
    return createStringError(Twine("is ") + (isBinary ? "a cubin" : "PTX") +
                             ": its flag -arch=sm_... asks for a cubin");
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return emit(ptxText, kernels, options);
  }
};

} // namespace

const Target &getNvptxTarget() {
  static const NvptxTarget target;
  return target;
}

} // namespace tensorc::codegen
