//===- NativeCode.cpp - Compiles the llvm dialect to images ---------------===//

#include "codegen/native/NativeCode.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/lowering/llvm/Link.h"
#include "codegen/native/AliasScopes.h"
#include "codegen/native/Shards.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

namespace tensorc::codegen {

void registerNativeTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

void addNativeExpandPasses(mlir::OpPassManager &pm, const CpuModel &cpu) {
  if (cpu.isX86() && cpu.has("avx512vbmi"))
    pm.addPass(createExpandF8Pass());
  ExpandNarrowFloatsPassOptions narrow;
  narrow.f16Converts = cpu.has("f16c") || cpu.has("neon");
  pm.addPass(createExpandNarrowFloatsPass(narrow));
  ExpandMathPassOptions math;
  math.hasScalef = cpu.isX86() && cpu.has("avx512f") && cpu.has("avx512vl");
  pm.addPass(createExpandMathPass(math));
  if (!cpu.has("fma") && !cpu.has("neon"))
    pm.addPass(createExpandFmaPass());
  if (cpu.isX86() && cpu.has("avx512f"))
    pm.addPass(createExpandNibblesPass());
  if (cpu.isX86()) {
    ExpandExtremaPassOptions extrema;
    extrema.hasRange = cpu.has("avx512dq");
    pm.addPass(createExpandExtremaPass(extrema));
  }
  pm.addPass(createExpandProductsPass());
  pm.addPass(createConvertStorageToBitsPass());
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
    LLVMInitializeWebAssemblyTargetInfo();
    LLVMInitializeWebAssemblyTarget();
    LLVMInitializeWebAssemblyTargetMC();
    LLVMInitializeWebAssemblyAsmPrinter();
  });
}

/// Defines i64 tensorc.request_tiles(), which requests permission to use tile
/// registers as runtime/abi/MatrixTiles.h does, for objects, which have no C
/// library. Its code is data, because the compiler is linked without a parser
/// of assembly.
void defineRequestTiles(Module &module) {
  Function *function = module.getFunction("tensorc.request_tiles");
  if (!function)
    return;
  constexpr uint8_t code[] = {
      0xb8, 0x9e, 0,    0, 0, // mov eax, SYS_arch_prctl
      0xbf, 0x23, 0x10, 0, 0, // mov edi, ARCH_REQ_XCOMP_PERM
      0xbe, 0x12, 0,    0, 0, // mov esi, XFEATURE_XTILEDATA
      0x0f, 0x05,             // syscall
      0xc3};                  // ret
  LLVMContext &context = module.getContext();
  function->setLinkage(GlobalValue::InternalLinkage);
  function->setPrologueData(ConstantDataArray::get(context, code));
  function->addFnAttr(Attribute::Naked);
  function->addFnAttr(Attribute::NoInline);
  new UnreachableInst(context, BasicBlock::Create(context, "", function));
}

void setFunctionAttributes(const CpuModel &cpu, Module &module) {
  bool wide = cpu.has("avx512f");
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    addAliasScopes(function);
    function.addFnAttr(Attribute::NoUnwind);
    // Prevents LLVM from turning loops into calls of memset and memcpy, which
    // an image without imports does not have.
    function.addFnAttr("no-builtins");
    if (cpu.sveBits)
      function.addFnAttr(Attribute::getWithVScaleRangeArgs(
          module.getContext(), cpu.sveBits / 128, cpu.sveBits / 128));
    if (wide) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
}

/// Translates the module to LLVM IR.
Expected<std::unique_ptr<LLVMCompilation>>
translate(mlir::ModuleOp kernels, const NativeOptions &options) {
  Expected<const CpuModel &> cpu = getCpuModel(options.target);
  if (!cpu)
    return cpu.takeError();
  MachineSpec spec{cpu->triple, cpu->cpu, cpu->featureString, initializeTargets,
                   /*keepsPasses=*/true};
  return LLVMCompilation::translate(kernels, spec, options.optLevel,
                                    [&](Module &module) {
                                      defineRequestTiles(module);
                                      setFunctionAttributes(*cpu, module);
                                    });
}

/// Translates the module to LLVM IR and optimizes it.
Expected<std::unique_ptr<LLVMCompilation>>
compile(mlir::ModuleOp kernels, const NativeOptions &options) {
  auto compilation = translate(kernels, options);
  if (compilation)
    if (Error error = (*compilation)->optimize())
      return error;
  return compilation;
}

/// Returns the linker option for the maximum page size of the object's machine.
/// AArch64 kernels use pages of up to 64 KiB.
const char *getPageSizeOption(ArrayRef<char> object) {
  constexpr size_t kMachineOffset = 18; // e_machine
  bool aarch64 = object.size() > kMachineOffset &&
                 uint8_t(object[kMachineOffset]) == ELF::EM_AARCH64;
  return aarch64 ? "max-page-size=65536" : "max-page-size=4096";
}

Expected<ImageBytes> link(ArrayRef<ArrayRef<char>> objects, StringRef soname) {
  SmallVector<const char *> options = {"-Bsymbolic",
                                       "--hash-style=gnu",
                                       "--no-rosegment",
                                       "-z",
                                       "noseparate-code",
                                       "-z",
                                       "norelro",
                                       "-z",
                                       getPageSizeOption(objects.front())};
  std::string name = ("-soname=" + soname).str();
  if (!soname.empty())
    options.push_back(name.c_str());
  return linkElf(objects, options);
}

} // namespace

Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                               const NativeOptions &options) {
  auto compilation = compile(kernels, options);
  if (!compilation)
    return compilation.takeError();
  return (*compilation)->print();
}

Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                              const NativeOptions &options) {
  auto compilation = compile(kernels, options);
  if (!compilation)
    return compilation.takeError();
  SmallVector<char, 0> text;
  if (Error error = (*compilation)->emit(CodeGenFileType::AssemblyFile, text))
    return error;
  return std::string(text.begin(), text.end());
}

Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                const NativeOptions &options) {
  auto compilation = compile(kernels, options);
  if (!compilation)
    return compilation.takeError();
  ImageBytes object;
  if (Error error =
          (*compilation)
              ->emit(CodeGenFileType::ObjectFile, object, options.onKernel))
    return error;
  return object;
}

Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                    const NativeOptions &options) {
  std::vector<std::unique_ptr<LLVMCompilation>> parts;
  for (auto &part : splitKernels(kernels)) {
    auto compilation = translate(*part, options);
    if (!compilation)
      return compilation.takeError();
    parts.push_back(std::move(*compilation));
    part = nullptr;
  }
  if (parts.empty()) {
    Expected<ImageBytes> object = emitObject(kernels, options);
    if (!object)
      return object.takeError();
    return linkImage(*object);
  }
  auto objects = emitObjects(std::move(parts), options);
  if (!objects)
    return objects.takeError();
  return link(SmallVector<ArrayRef<char>>(objects->begin(), objects->end()),
              "");
}

Expected<ImageBytes> linkImage(ArrayRef<char> object, StringRef soname) {
  return link(object, soname);
}

Expected<ImageBytes> linkWasmModule(ArrayRef<char> object,
                                    ArrayRef<std::string> functions) {
  return linkWasm(object, functions);
}

uint64_t codeBytes(StringRef image) {
  auto object =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(image, "image"));
  if (!object) {
    consumeError(object.takeError());
    return 0;
  }
  uint64_t bytes = 0;
  for (const object::SectionRef &section : (*object)->sections())
    if (section.isText())
      bytes += section.getSize();
  return bytes;
}

} // namespace tensorc::codegen
