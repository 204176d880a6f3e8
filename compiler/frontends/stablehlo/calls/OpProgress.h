//===- OpProgress.h - The ops of a program that are converted --*- C++ -*--===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_CALLS_OPPROGRESS_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_CALLS_OPPROGRESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tensorc {
class Progress;
}
namespace tensorc::stablehlo {

/// Returns the name of the function that an op calls, and that is inlined in its
/// place; an empty name for other ops.
llvm::StringRef calleeOf(mlir::Operation *op);

/// Counts the ops that are converted, for the progress line and for a limit. An
/// op with regions counts with the ops inside, and a call with those of its
/// function, because calls are inlined.
class OpProgress {
public:
  OpProgress(mlir::ModuleOp source, Progress &progress)
      : source(source), progress(progress) {}

  /// Sets the functions that will be converted.
  void begin(llvm::ArrayRef<mlir::func::FuncOp> functions);
  /// Takes one op off the limit; false if there are too many.
  bool takeOp() { return --numLeft >= 0; }
  uint64_t getNumDone() const { return numDone; }
  /// Counts an op as done, where `before` ops were done before it. Its regions
  /// may have been converted several times, or not at all.
  void finish(mlir::Operation *op, uint64_t before);

private:
  uint64_t countOps(mlir::Operation *op, unsigned depth);

  /// Limit on the number of ops, with those that inlined calls add.
  static constexpr int64_t maxOps = 1 << 20;
  mlir::ModuleOp source;
  Progress &progress;
  int64_t numLeft = maxOps;
  uint64_t numDone = 0;
  /// The counts of calls, functions and ops with regions. A function that is
  /// being counted has 0.
  llvm::DenseMap<mlir::Operation *, uint64_t> counts;
};

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_CALLS_OPPROGRESS_H
