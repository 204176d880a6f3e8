//===- RegisterBody.h - Emits a loop's body on register values --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H

#include "codegen/emitters/registers/RegisterValues.h"
#include "codegen/kernel/TargetInfo.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Returns the number of elements of a tensor type; 0 if its shape is dynamic.
int64_t elementsOf(mlir::Type type);

/// True if the argument of a loop's block stays in memory: it is the same in
/// every iteration, and only contiguous slices of it are read, at starts that
/// are known only at run time.
bool isReadInMemory(mlir::BlockArgument argument);

/// Returns an estimate of the number of vector instructions that compute the
/// block in registers; nullopt if it has an op that RegisterBody cannot emit,
/// or more instructions than a loop in registers may have.
std::optional<int64_t> registerCost(mlir::Block &block, int64_t lanes);

/// Emits the ops of a block, after the stage `fuse`, on values in registers.
/// Reductions and contractions are computed in the order of their fusion.
class RegisterBody {
public:
  RegisterBody(RegisterBuilder &builder, const TargetInfo &target)
      : r(builder), b(builder.b), target(target), names(b.getContext()) {}

  /// Declares that the elements of a block's argument are in a buffer.
  void keepInMemory(mlir::BlockArgument argument, mlir::Value buffer) {
    buffers[argument] = buffer;
  }

  /// Emits the block and returns the values of its terminator.
  mlir::FailureOr<llvm::SmallVector<RegisterValue>>
  emit(mlir::Block &block, llvm::ArrayRef<RegisterValue> arguments);

private:
  RegisterBuilder &r;
  mlir::ImplicitLocOpBuilder &b;
  const TargetInfo &target;
  tx::DimSpace names;
  llvm::DenseMap<mlir::Value, RegisterValue> values;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;

  mlir::FailureOr<RegisterValue> compute(mlir::Operation *op,
                                         tx::OrderAttr order);
  mlir::LogicalResult emitOps(mlir::Block &block, tx::OrderAttr order);
  mlir::LogicalResult emitFusion(tx::FusionOp fusion);
  mlir::LogicalResult emitIf(mlir::Operation *op);
  mlir::FailureOr<RegisterValue> elementwise(mlir::Operation *op);
  RegisterValue constant(tx::ConstantOp op);
  RegisterValue iota(tx::IotaOp op);
  mlir::FailureOr<RegisterValue> moved(mlir::Operation *op);
  mlir::FailureOr<RegisterValue> reduce(mlir::Operation *op,
                                        tx::OrderAttr order);
  RegisterValue contract(tx::DotGeneralOp op);
  RegisterValue loadWindow(mlir::Operation *op);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERBODY_H
