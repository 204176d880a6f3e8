//===- TensorProgram.h - Helpers of passes over tensors -------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_TENSORPROGRAM_H

#include "ir/tx/Structure.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Attribute of the slices and concatenations that tx-split-batch and
/// tx-bucket-reductions create, which are views. Also of the first fusion of a
/// batch that is computed in parts, with the number of parts, the bytes that
/// they save, and the time that they cost.
inline constexpr llvm::StringLiteral splitAttr = "txp.split";

/// Attribute of a tx.custom_call: the queue of the program that executes it.
inline constexpr llvm::StringLiteral queueAttr = "txp.queue";
/// Attribute of a tx.custom_call that performs several reductions: their number.
inline constexpr llvm::StringLiteral bucketAttr = "txp.bucket";

/// Attribute of a function: for names in `tx.symbols`, the reason for the
/// divisor, for the message of a run.
inline constexpr llvm::StringLiteral divisorReasonsAttr = "txp.divisor_reasons";

/// True if the function's module gets programs that are planned for given sizes
/// (txp.planned_sizes). The planner reads no collectives of another queue.
bool hasPlans(mlir::Operation *function);

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
