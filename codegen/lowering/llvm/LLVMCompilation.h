//===- LLVMCompilation.h - From the llvm dialect to machine code ----------===//
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
  /// LLVM features, e.g. "+avx2,-avx512f" or "+ptx80".
  std::string features;
  /// Registers LLVM's target; may be called several times.
  void (*initialize)();
  /// True if a thread may reuse the passes that emit objects: those of CPUs
  /// keep no state.
  bool keepsPasses = false;
};

/// Kernels in LLVM IR and the machine that they are for. Thread-safe for
/// kernels of different contexts. Translation uses MLIR's context. optimize()
/// and emit() use only LLVM's context, which is private to each compilation, so
/// that one other thread may call both.
class LLVMCompilation {
  struct Machine;

public:
  /// Translates the kernels. `prepare` is called before LLVM's passes.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  translate(mlir::Operation *kernels, const MachineSpec &spec,
            unsigned optLevel,
            llvm::function_ref<void(llvm::Module &)> prepare);
  /// Translates and optimizes the kernels.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  create(mlir::Operation *kernels, const MachineSpec &spec, unsigned optLevel,
         llvm::function_ref<void(llvm::Module &)> prepare);

  llvm::Error optimize();

  /// Emits code. `onKernel` is called after each function; if it returns false,
  /// emit ends with an error.
  llvm::Error emit(llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out,
                   const std::function<bool()> &onKernel = nullptr);
  /// Returns the module as text.
  std::string print() const;

private:
  static llvm::Expected<Machine *> getMachine(const MachineSpec &spec,
                                              unsigned optLevel);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  MachineSpec spec;
  unsigned optLevel = 2;
  /// The machine of the thread that optimizes and emits.
  Machine *machine = nullptr;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LLVMCOMPILATION_H
