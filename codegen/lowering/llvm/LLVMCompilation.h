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

/// The parameters of an LLVM TargetMachine.
struct MachineSpec {
  std::string triple;
  std::string cpu;
  /// LLVM's feature string, such as "+avx2,-avx512f" or "+ptx80".
  std::string features;
  /// Initializes the LLVM target. May be called several times.
  void (*initialize)();
  /// True if a thread may reuse the passes that emit objects because they keep
  /// no state, as on CPUs.
  bool keepsPasses = false;
};

/// Kernels in LLVM IR, and the machine for which they are compiled. Thread-safe
/// for kernels of different MLIR contexts, which only translation uses.
/// optimize() and emit() use a private LLVMContext, so another thread than the
/// one that translated may call them.
class LLVMCompilation {
  struct Machine;

public:
  /// Translates the kernels to LLVM IR. `prepare` is called before any pass of
  /// LLVM.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  translate(mlir::Operation *kernels, const MachineSpec &spec,
            unsigned optLevel,
            llvm::function_ref<void(llvm::Module &)> prepare);
  /// Translates the kernels to LLVM IR and optimizes it.
  static llvm::Expected<std::unique_ptr<LLVMCompilation>>
  create(mlir::Operation *kernels, const MachineSpec &spec, unsigned optLevel,
         llvm::function_ref<void(llvm::Module &)> prepare);

  /// Runs LLVM's passes on the IR. With a CodeStore they run only if the output
  /// is not stored.
  llvm::Error optimize();

  /// Emits assembly or an object. Calls `onKernel` after each function; if that
  /// returns false, emit ends with an error.
  llvm::Error emit(llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &out,
                   const std::function<bool()> &onKernel = nullptr);
  /// Returns the module as text.
  std::string print();

private:
  static llvm::Expected<Machine *> getMachine(const MachineSpec &spec,
                                              unsigned optLevel);
  void runPasses();
  /// Runs the passes that optimize() left out.
  void finish();
  llvm::Error compile(llvm::CodeGenFileType type,
                      llvm::SmallVectorImpl<char> &out,
                      const std::function<bool()> &onKernel);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  MachineSpec spec;
  unsigned optLevel = 2;
  /// The machine of the thread that optimizes and emits.
  Machine *machine = nullptr;
  /// What the output depends on, until finish(); empty without a CodeStore.
  std::string unoptimized;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LLVMCOMPILATION_H
