//===- LLVMCompilation.cpp - From the llvm dialect to machine code --------===//

#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/lowering/llvm/CodeStore.h"
#include "codegen/lowering/llvm/OptimizeModule.h"
#include "codegen/lowering/llvm/WasmModule.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include <map>

using namespace llvm;

namespace tensorc::codegen {
namespace {

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

Expected<std::unique_ptr<TargetMachine>> createMachine(const MachineSpec &spec,
                                                       unsigned optLevel) {
  spec.initialize();
  Triple triple(spec.triple);
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  TargetOptions options;
  // The instruction selector must not fuse multiplications and additions. Every
  // op rounds, and FMAs are explicit in the IR.
  options.AllowFPOpFusion = FPOpFusion::Strict;
  // A WebAssembly module has its memory to itself, at fixed addresses.
  Reloc::Model relocation = triple.isWasm() ? Reloc::Static : Reloc::PIC_;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, spec.cpu, spec.features, options, relocation, std::nullopt,
      getCodeGenLevel(optLevel)));
  // At -O0, AArch64 would use GlobalISel, which is not linked
  // (TensorcLinkLLVM.cmake).
  machine->setGlobalISel(false);
  return machine;
}

/// Collects errors of the backend, which LLVM would otherwise print before it
/// exits the process.
struct Diagnostics : DiagnosticHandler {
  // LLVM emits this remark for each function once its code has been written.
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return onKernel && pass == "asm-printer";
  }
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
    if (onKernel && remark && remark->getRemarkName() == "InstructionCount" &&
        !onKernel())
      cancel(*const_cast<Function *>(&remark->getFunction()));
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(errors);
    if (!errors.empty())
      stream << "; ";
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  /// Turns the functions after `done` into declarations, which take no time to
  /// compile. LLVM's pass manager cannot be interrupted otherwise.
  void cancel(Function &done) {
    errors = "cancelled";
    onKernel = nullptr;
    Module &module = *done.getParent();
    for (Function &rest :
         make_range(std::next(done.getIterator()), module.end()))
      if (!rest.isDeclaration())
        rest.deleteBody();
  }
  std::string errors;
  std::function<bool()> onKernel;
};

/// The passes from LLVM IR to an object. They are reused, because creating them
/// takes a seventh of the compile time of a small kernel.
struct ObjectWriter {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream{bytes};
  legacy::PassManager passes;
};

} // namespace

/// The target machine and the passes of a thread.
struct LLVMCompilation::Machine {
  std::unique_ptr<TargetMachine> target;
  /// Pass pipeline of the previous object, for reuse. It refers to `target`, so
  /// it must be destroyed before that.
  std::unique_ptr<ObjectWriter> writer;
};

/// Returns the thread's machine. It is cached, because creating one parses the
/// features.
Expected<LLVMCompilation::Machine *>
LLVMCompilation::getMachine(const MachineSpec &spec, unsigned optLevel) {
  thread_local std::map<
      std::tuple<std::string, std::string, std::string, unsigned>, Machine>
      machines;
  Machine &machine = machines[{spec.triple, spec.cpu, spec.features, optLevel}];
  if (!machine.target) {
    auto created = createMachine(spec, optLevel);
    if (!created)
      return created.takeError();
    machine.target = std::move(*created);
  }
  return &machine;
}

Expected<std::unique_ptr<LLVMCompilation>>
LLVMCompilation::translate(mlir::Operation *kernels, const MachineSpec &spec,
                           unsigned optLevel,
                           function_ref<void(Module &)> prepare) {
  auto result = std::make_unique<LLVMCompilation>();
  result->spec = spec;
  result->optLevel = optLevel;
  Expected<Machine *> machine = getMachine(spec, optLevel);
  if (!machine)
    return machine.takeError();
  TargetMachine &target = *(*machine)->target;
  result->context.setDiagnosticHandler(std::make_unique<Diagnostics>());
  result->module =
      mlir::translateModuleToLLVMIR(kernels, result->context, "kernels",
                                    /*disableVerification=*/true);
  if (!result->module)
    return createStringError("kernels are not in the llvm dialect");
  result->module->setTargetTriple(target.getTargetTriple());
  result->module->setDataLayout(target.createDataLayout());
  prepare(*result->module);
  return result;
}

Error LLVMCompilation::optimize() {
  Expected<Machine *> own = getMachine(spec, optLevel);
  if (!own)
    return own.takeError();
  machine = *own;
  if (CodeStore::get()) {
    raw_string_ostream stream(unoptimized);
    stream << spec.triple << " " << spec.cpu << " " << spec.features << " "
           << optLevel << "\n";
    module->print(stream, nullptr);
    return Error::success();
  }
  runPasses();
  return Error::success();
}

void LLVMCompilation::finish() {
  if (unoptimized.empty())
    return;
  unoptimized.clear();
  runPasses();
}

void LLVMCompilation::runPasses() {
  optimizeModule(*module, *machine->target, optLevel);
  unmaskSingleLanes(*module);
  widenBeforeFloats(*module);
  if (optLevel > 0)
    fenceShuffles(*module);
  if (Triple(spec.triple).isWasm()) {
    splitMaskedAccesses(*module);
    widenShifts(*module);
    defineWideProduct(*module);
  }
}

Expected<std::unique_ptr<LLVMCompilation>>
LLVMCompilation::create(mlir::Operation *kernels, const MachineSpec &spec,
                        unsigned optLevel,
                        function_ref<void(Module &)> prepare) {
  auto result = translate(kernels, spec, optLevel, prepare);
  if (result)
    if (Error error = (*result)->optimize())
      return error;
  return result;
}

Error LLVMCompilation::emit(CodeGenFileType type, SmallVectorImpl<char> &out,
                            const std::function<bool()> &onKernel) {
  if (unoptimized.empty())
    return compile(type, out, onKernel);
  const CodeStore &store = *CodeStore::get();
  std::string name =
      store.getName(unoptimized + std::to_string(static_cast<int>(type)));
  if (store.read(name, out)) {
    // As often as the passes would call it.
    for (const Function &function : *module)
      if (!function.isDeclaration() && onKernel && !onKernel())
        return createStringError("cancelled");
    return Error::success();
  }
  finish();
  if (Error error = compile(type, out, onKernel))
    return error;
  store.write(name, ArrayRef<char>(out.data(), out.size()));
  return Error::success();
}

Error LLVMCompilation::compile(CodeGenFileType type, SmallVectorImpl<char> &out,
                               const std::function<bool()> &onKernel) {
  bool isKept = spec.keepsPasses && type == CodeGenFileType::ObjectFile;
  std::unique_ptr<ObjectWriter> writer;
  if (isKept)
    writer = std::move(machine->writer);
  if (!writer) {
    writer = std::make_unique<ObjectWriter>();
    if (machine->target->addPassesToEmitFile(writer->passes, writer->stream,
                                             nullptr, type,
                                             /*DisableVerify=*/true))
      return createStringError("the target cannot emit this kind of file");
  }
  auto *diagnostics = const_cast<Diagnostics *>(
      static_cast<const Diagnostics *>(context.getDiagHandlerPtr()));
  diagnostics->onKernel = onKernel;
  writer->passes.run(*module);
  if (!diagnostics->errors.empty())
    return createStringError(diagnostics->errors);
  out = std::move(writer->bytes);
  writer->bytes.clear();
  if (isKept)
    machine->writer = std::move(writer);
  return Error::success();
}

std::string LLVMCompilation::print() {
  finish();
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

} // namespace tensorc::codegen
