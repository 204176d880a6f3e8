//===- RegisterBody.h - Emits a loop's body on register values --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H

#include "codegen/emitters/registers/RegisterValues.h"
#include "codegen/kernel/TargetInfo.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tensorc::codegen {

/// Emits the ops of a block, after the stage `fuse`, on values in registers.
/// Reductions and contractions are computed in the order of their fusion.
class RegisterBody {
public:
  RegisterBody(RegisterBuilder &builder, const TargetInfo &target)
      : r(builder), b(builder.b), target(target), names(b.getContext()) {}

  /// A tensor in memory. Its elements begin at element `first` of the buffer.
  struct Memory {
    mlir::Value buffer, first;
  };
  /// Declares where the elements of a value are.
  void keepInMemory(mlir::Value v, mlir::Value buffer) {
    memory[v] = {buffer, {}};
  }
  /// Declares where the stacked result of a scan is written.
  void writeTo(mlir::Value result, mlir::Value buffer) {
    destinations[result] = {buffer, {}};
  }

  /// Counts iterations, both i64. Loops that contain a tx.while stop when as
  /// many iterations as `max` are done, so that a launch ends in bounded time.
  struct Iterations {
    mlir::Value done, max;
  };
  Iterations iterations;

  /// Buffers of the initial carried values of loops. They differ even if several
  /// operands are one value, because a launch may continue a loop.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> initial;

  /// Memory of a scan's scanned inputs and stacked results.
  struct ScanMemory {
    llvm::SmallVector<Memory> scanned, stacked;
  };
  /// Binds the inputs of a scan that are the same in each iteration.
  ScanMemory prepare(tx::ScanOp scan);
  /// Emits iteration `at` of a scan, and returns the parts of the next carried
  /// values.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitStep(tx::ScanOp scan, const ScanMemory &memory, mlir::Value at,
           mlir::ValueRange carried);
  /// Emits the iterations from `from` to `to` of a scan of this length. Its
  /// carried results become register values.
  mlir::FailureOr<mlir::scf::ForOp> emitScan(tx::ScanOp scan, mlir::Value from,
                                             mlir::Value to,
                                             mlir::Value length);
  /// Emits a tx.while that stops after `iterations.max` iterations. `finish`
  /// takes the parts of the carried values before and after an iteration, each
  /// followed by the number of iterations, and returns what is carried on.
  using Finish = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ValueRange, mlir::ValueRange)>;
  mlir::FailureOr<mlir::scf::WhileOp> emitWhile(tx::WhileOp loop,
                                                Finish finish);
  /// Returns the parts of the values of a loop's first inputs.
  llvm::SmallVector<mlir::Value> initialParts(mlir::Operation *loop,
                                              size_t carried);
  /// Returns a value in registers, and loads it if it is in memory.
  RegisterValue valueOf(mlir::Value v);

private:
  RegisterBuilder &r;
  mlir::ImplicitLocOpBuilder &b;
  const TargetInfo &target;
  tx::DimSpace names;
  llvm::DenseMap<mlir::Value, RegisterValue> values;
  llvm::DenseMap<mlir::Value, Memory> memory, destinations;

  // Blocks and loops: RegisterControl.cpp.
  mlir::LogicalResult emitOps(mlir::Block &block, tx::OrderAttr order);
  mlir::LogicalResult emitFusion(tx::FusionOp fusion);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitSide(mlir::Operation *branch, mlir::Block &side);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitChoice(mlir::Operation *branch, unsigned first, mlir::TypeRange types);
  mlir::LogicalResult emitBranch(mlir::Operation *branch);
  mlir::LogicalResult emitNested(mlir::Operation *loop);
  void bindInvariant(mlir::Operation *loop, size_t first);
  void bind(mlir::ValueRange to, mlir::ValueRange parts);
  Memory memoryOf(mlir::Value v);
  mlir::Value firstOf(const Memory &memory);

  // Ops: RegisterBody.cpp.
  mlir::FailureOr<RegisterValue> compute(mlir::Operation *op,
                                         tx::OrderAttr order);
  mlir::FailureOr<RegisterValue> elementwise(mlir::Operation *op);
  RegisterValue constant(tx::ConstantOp op);
  RegisterValue iota(tx::IotaOp op);
  mlir::FailureOr<RegisterValue> moved(mlir::Operation *op);
  RegisterValue loadWindow(mlir::Operation *op);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H
