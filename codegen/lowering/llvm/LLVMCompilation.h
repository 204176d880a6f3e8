//===- LLVMCompilation.h - From the llvm dialect to a machine's code ------===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_LLVMCOMPILATION_H
#define TENSORC_CODEGEN_LOWERING_LLVM_LLVMCOMPILATION_H

#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>

namespace tensorc::codegen {

/// The parameters of LLVM's target machine.
struct MachineSpec {
  std::string triple;
  std::string cpu;
  /// "+avx2,-avx512f", "+ptx80".
  std::string features;
  /// Registers LLVM's target; called once or more.
  void (*initialize)();
  /// True if a thread may reuse the passes that emit objects: those of CPUs
  /// keep no state.
  bool keepsPasses = false;
};

/// Kernels in LLVM IR with the machine that they are for. Thread-safe for
/// kernels of different contexts. Translation reads the context of MLIR;
/// optimize() and emit() read LLVM's alone, which each compilation has for
/// itself: one other thread may do both.
class LLVMCompilation {
  struct Machine;

public:
  /// Translated. `prepare` sees the module before LLVM's passes.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  translate(mlir::Operation *kernels, const MachineSpec &spec,
            unsigned optLevel,
            llvm::function_ref<void(llvm::Module &)> prepare);
  /// Translated and optimized.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  create(mlir::Operation *kernels, const MachineSpec &spec, unsigned optLevel,
         llvm::function_ref<void(llvm::Module &)> prepare);

  llvm::Error optimize();

  /// `onKernel` is called when the code of one more function is written; false
  /// ends it with an error.
  llvm::Error emit(llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out,
                   const std::function<bool()> &onKernel = nullptr);
  /// The module as text.
  std::string print() const;

private:
  static llvm::Expected<Machine *> getMachine(const MachineSpec &spec,
                                              unsigned optLevel);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  MachineSpec spec;
  unsigned optLevel = 2;
  /// The thread's that optimizes, and emits.
  Machine *machine = nullptr;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LLVMCOMPILATION_H
