//===- RegisterLoop.h - Emits a loop as one kernel on registers -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERLOOP_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERLOOP_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::codegen {

/// A tx.scan or tx.while, after the stage `fuse`, that becomes one kernel: its
/// carried values stay in registers, and only stacked results, scanned values
/// and other inputs are in memory.
class RegisterLoop {
public:
  RegisterLoop(mlir::Operation *loop, const TargetInfo &target);

  /// True if all values of the loop's blocks have few elements, and all ops can
  /// be emitted on registers.
  bool matches();

  /// Returns the maximum number of iterations per launch, which bounds the time
  /// of a launch. The program runs a longer loop in parts, between which it can
  /// be cancelled.
  int64_t iterationsOfPart() const;

  /// Returns the names of the fusions that the kernel computes.
  llvm::SmallVector<llvm::StringRef> fusions() const;

  /// Emits the kernel at the insertion point. Its buffers are the inputs, the
  /// results and, for a tx.while, an i64 that is set to 1 if the loop continues
  /// after this part. Its scalar for a tx.while is the number of iterations per
  /// part. Its scalars for a tx.scan are the first iteration, one past the last
  /// one, and the length if the scan is reversed.
  mlir::FailureOr<mlir::func::FuncOp> emit(mlir::OpBuilder &b,
                                           llvm::StringRef name);

private:
  mlir::Operation *loop;
  const TargetInfo &target;
  int64_t lanes;
  int64_t cost = 0;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERLOOP_H
