//===- TensorProgram.h - What passes over tensors work on -----------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H

#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Refuses a function with a body that is not one block of tx ops and a
/// func.return. The compiler reads no such program; text for a single pass may
/// hold any.
mlir::LogicalResult verifyTensorProgram(mlir::func::FuncOp function);

/// Of each of a fusion's inputs, whether it is by value (tx::isByValue).
llvm::SmallVector<bool> inputsByValue(tx::FusionOp fusion);

/// Whether the fusions are of one kind and compute the same of their inputs. A
/// loop that the host unrolls has one for each step, which all share what is
/// found out about the first.
bool haveSameBody(tx::FusionOp a, tx::FusionOp b);
/// What such fusions agree in, cheaply.
size_t hashOfBody(tx::FusionOp fusion);
/// What such fusions, with inputs by value in the same places, agree in, and no
/// others: 32 hexadecimal digits that are the same in every process. Names and
/// schedules do not count.
std::string keyOfBody(tx::FusionOp fusion);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H
