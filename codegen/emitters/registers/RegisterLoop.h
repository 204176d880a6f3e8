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

  /// True if a loop within this one is a tx.while. A launch may then end during
  /// an iteration, whose results are discarded.
  bool hasNestedWhile() const;

  /// Returns the names of the fusions that the kernel computes.
  llvm::SmallVector<llvm::StringRef> fusions() const;

  /// Emits the kernel at the insertion point. Its buffers are the inputs, the
  /// results and, for loops of an unknown number of iterations, the state of
  /// the loop, of i64.
  ///
  /// - A tx.while has one scalar, the maximum number of iterations per launch.
  ///   Its state is 0 after the last launch, and 1 if the loop continues. With
  ///   nested whiles it is 3 if the launch completed no iteration.
  /// - A tx.scan has the first iteration, one past the last one, and the length
  ///   if it is reversed. With nested whiles, the third scalar is the maximum
  ///   number of iterations of all loops, the second one is the length, and the
  ///   state has two elements: the next iteration, and the same number as that
  ///   of a tx.while.
  mlir::FailureOr<mlir::func::FuncOp> emit(mlir::OpBuilder &b,
                                           llvm::StringRef name);

private:
  mlir::Operation *loop;
  const TargetInfo &target;
  int64_t lanes;
  int64_t runCost = 0;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERLOOP_H
