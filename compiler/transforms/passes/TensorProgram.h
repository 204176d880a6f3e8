//===- TensorProgram.h - Helpers of passes over tensors -------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H

#include "ir/tx/Structure.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Attribute of the ops that tx-split-batch creates: of slices and
/// concatenations, which are views, and of the first fusion of a batch that is
/// computed in parts, with the number of parts, the bytes that they save, and
/// the time that they cost.
inline constexpr llvm::StringLiteral splitAttr = "txp.split";

/// Reports an error for a function whose body is not a single block of tx ops
/// and a func.return. All programs that the compiler reads have this form, but
/// a pass that is run alone may get any other IR.
mlir::LogicalResult verifyTensorProgram(mlir::func::FuncOp function);

/// Returns, for each of a fusion's inputs, whether it is passed by value
/// (tx::isByValue).
llvm::SmallVector<bool> inputsByValue(tx::FusionOp fusion);

/// True if the fusions have the same kind and compute the same function. An
/// unrolled loop has one such fusion per step, and they share the analysis of
/// the first one.
bool haveSameBody(tx::FusionOp a, tx::FusionOp b);
/// A cheap hash; equal for fusions with the same body.
size_t hashOfBody(tx::FusionOp fusion);
/// Returns a key of 32 hexadecimal digits. Fusions have equal keys exactly if
/// they have the same body and the same by-value inputs. The key is the same in
/// every process. It does not depend on names and schedules.
std::string keyOfBody(tx::FusionOp fusion);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H
