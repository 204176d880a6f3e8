//===- CpuTarget.cpp - From kernels to a loadable ELF image ---------------===//

#include "codegen/targets/cpu/CpuTarget.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/lowering/Passes.h"
#include "codegen/targets/cpu/AliasScopes.h"
#include "codegen/targets/cpu/OptimizeModule.h"
#include "codegen/targets/cpu/Passes.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace tensorc::codegen {

Error addCpuLowerPasses(mlir::OpPassManager &pm,
                        const CodegenOptions &options) {
  Expected<CpuModel> cpu = getCpuModel(options.target);
  if (!cpu)
    return cpu.takeError();
  ExpandNarrowFloatsPassOptions narrow;
  narrow.f16Converts = !cpu->isX86() || cpu->has("f16c");
  pm.addPass(createExpandNarrowFloatsPass(narrow));
  pm.addPass(createExpandMathPass());
  if (cpu->isX86() && !cpu->has("fma"))
    pm.addPass(createExpandFmaPass());
  pm.addPass(createBF16ToBitsPass());
  pm.addPass(createConvertKernelsToLLVMPass());
  return Error::success();
}

namespace {

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
}

CodeGenOptLevel getCodeGenLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return CodeGenOptLevel::None;
  case 1:
    return CodeGenOptLevel::Less;
  case 2:
    return CodeGenOptLevel::Default;
  default:
    return CodeGenOptLevel::Aggressive;
  }
}

Expected<std::unique_ptr<TargetMachine>> createMachine(const CpuModel &cpu,
                                                       unsigned optLevel) {
  initializeTargets();
  Triple triple(cpu.triple);
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  llvm::TargetOptions options;
  // Contraction is the expression's decision, never the instruction selector's:
  // every operation rounds.
  options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu.cpu, cpu.featureString, options, Reloc::PIC_, std::nullopt,
      getCodeGenLevel(optLevel)));
}

/// The thread's machine for these options: making one parses the features.
Expected<TargetMachine *> getMachine(const CpuModel &cpu,
                                     const CodegenOptions &options) {
  thread_local std::map<std::pair<std::string, unsigned>,
                        std::unique_ptr<TargetMachine>>
      machines;
  std::unique_ptr<TargetMachine> &machine =
      machines[{options.target, options.optLevel}];
  if (!machine) {
    auto created = createMachine(cpu, options.optLevel);
    if (!created)
      return created.takeError();
    machine = std::move(*created);
  }
  return machine.get();
}

/// One compilation: the LLVM module and the machine it is for.
class Compilation {
public:
  static Expected<std::unique_ptr<Compilation>>
  create(mlir::ModuleOp kernels, const CodegenOptions &options) {
    auto compilation = std::make_unique<Compilation>();
    if (Error error = compilation->setUp(kernels, options))
      return error;
    return compilation;
  }

  Error emit(CodeGenFileType type, SmallVectorImpl<char> &out) {
    raw_svector_ostream stream(out);
    legacy::PassManager codegen;
    if (machine->addPassesToEmitFile(codegen, stream, nullptr, type,
                                     /*DisableVerify=*/true))
      return createStringError("the target cannot emit this kind of file");
    codegen.run(*module);
    return Error::success();
  }

  const Module &getModule() const { return *module; }

private:
  Error setUp(mlir::ModuleOp kernels, const CodegenOptions &options) {
    Expected<CpuModel> cpu = getCpuModel(options.target);
    if (!cpu)
      return cpu.takeError();
    Expected<TargetMachine *> found = getMachine(*cpu, options);
    if (!found)
      return found.takeError();
    machine = *found;
    module = mlir::translateModuleToLLVMIR(kernels, context, "kernels",
                                           /*disableVerification=*/true);
    if (!module)
      return createStringError("kernels are not in the llvm dialect");
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    setFunctionAttributes(*cpu);
    optimizeModule(*module, *machine, options.optLevel);
    return Error::success();
  }

  void setFunctionAttributes(const CpuModel &cpu) {
    bool wide = cpu.has("avx512f");
    for (Function &function : *module) {
      if (function.isDeclaration())
        continue;
      addAliasScopes(function);
      function.addFnAttr(Attribute::NoUnwind);
      // LLVM would otherwise recognize loops as memset and memcpy, which an
      // image without imports does not have.
      function.addFnAttr("no-builtins");
      if (wide) {
        function.addFnAttr("prefer-vector-width", "512");
        function.addFnAttr("min-legal-vector-width", "512");
      }
    }
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  TargetMachine *machine = nullptr;
};

} // namespace

Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                               const CodegenOptions &options) {
  auto compilation = Compilation::create(kernels, options);
  if (!compilation)
    return compilation.takeError();
  std::string text;
  raw_string_ostream stream(text);
  (*compilation)->getModule().print(stream, nullptr);
  return text;
}

Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                              const CodegenOptions &options) {
  auto compilation = Compilation::create(kernels, options);
  if (!compilation)
    return compilation.takeError();
  SmallVector<char, 0> text;
  if (Error error = (*compilation)->emit(CodeGenFileType::AssemblyFile, text))
    return error;
  return std::string(text.begin(), text.end());
}

Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                const CodegenOptions &options) {
  auto compilation = Compilation::create(kernels, options);
  if (!compilation)
    return compilation.takeError();
  ImageBytes object;
  if (Error error = (*compilation)->emit(CodeGenFileType::ObjectFile, object))
    return error;
  return object;
}

Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                    const CodegenOptions &options) {
  Expected<ImageBytes> object = emitObject(kernels, options);
  if (!object)
    return object.takeError();
  return linkImage(*object);
}

namespace {

class CpuTarget : public Target {
public:
  ArrayRef<StringLiteral> getNames() const override { return getCpuNames(); }
  TargetInfo getInfo(StringRef name) const override { return getCpuInfo(name); }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
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
      return emitObject(module, options);
    Expected<std::string> text = artefact == Artefact::LLVM
                                     ? emitLLVM(module, options)
                                     : emitAsm(module, options);
    if (!text)
      return text.takeError();
    return ImageBytes(text->begin(), text->end());
  }
  Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return codegen::compileToImage(cast<mlir::ModuleOp>(kernels), options);
  }
};

} // namespace

const Target &getCpuTarget() {
  static const CpuTarget target;
  return target;
}

} // namespace tensorc::codegen
