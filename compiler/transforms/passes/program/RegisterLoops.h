//===- RegisterLoops.h - Loops of a host program that become one kernel ---===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_REGISTERLOOPS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_REGISTERLOOPS_H

#include "codegen/kernel/TargetInfo.h"
#include "compiler/transforms/passes/program/ProgramSizes.h"
#include "ir/tx/Control.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Emits loops whose values stay in registers as a kernel and its launches.
class RegisterLoops {
public:
  /// `values` are the buffers of the program's values.
  RegisterLoops(mlir::ImplicitLocOpBuilder &b, ProgramSizes &sizes,
                llvm::DenseMap<mlir::Value, mlir::Value> &values,
                mlir::Operation *kernels, const codegen::TargetInfo &target)
      : b(b), sizes(sizes), values(values), kernels(kernels), target(target) {}

  /// Emits the loop. Returns false if its values cannot stay in registers.
  mlir::FailureOr<bool> emit(mlir::Operation *loop);

private:
  mlir::ImplicitLocOpBuilder &b;
  ProgramSizes &sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> &values;
  mlir::Operation *kernels;
  const codegen::TargetInfo &target;

  struct Kernel {
    mlir::func::FuncOp function;
    llvm::SmallVector<llvm::StringRef> fusions;
    /// Maximum number of iterations of a launch.
    int64_t iterations;
    /// The txp.weight of a launch.
    int64_t weight;
    /// See codegen::RegisterLoop::hasNestedWhile.
    bool hasNestedWhile;
  };
  /// A launch of a loop of an unknown number of iterations.
  struct Launched {
    llvm::SmallVector<mlir::Value> buffers; // carried values
    llvm::SmallVector<mlir::Value> words;   // carried words
    mlir::Value state;
  };
  void launchPart(mlir::Operation *loop, const Kernel &kernel,
                  mlir::ValueRange carried, mlir::ValueRange written,
                  mlir::ValueRange words);
  llvm::SmallVector<mlir::Value> allocate(mlir::ValueRange results);
  void launchScan(tx::ScanOp scan, const Kernel &kernel);
  void launchInterrupted(tx::ScanOp scan, const Kernel &kernel);
  void launchWhile(tx::WhileOp loop, const Kernel &kernel);
  void
  launchUntilDone(mlir::Operation *loop, const Kernel &kernel, size_t carried,
                  mlir::ValueRange words,
                  llvm::function_ref<Launched(mlir::ValueRange,
                                              mlir::ValueRange, mlir::Value)>
                      launch);
  mlir::Value readState(mlir::Value state, mlir::Value offset);
  mlir::Type bufferType() { return txp::BufferType::get(b.getContext()); }
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_REGISTERLOOPS_H
