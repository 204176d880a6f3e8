//===- TxFusion.h - Properties of the kinds of fusions ----------*- C++ -*-===//
#ifndef TENSORC_IR_TX_STRUCTURE_TXFUSION_H
#define TENSORC_IR_TX_STRUCTURE_TXFUSION_H

#include "ir/tx/Structure.h"

namespace tensorc::tx {

/// The shapes of the outputs that a kind of kernel can store.
enum class Stores {
  /// Outputs of any shape, provided that all have the same shape.
  Alike,
  /// Outputs with the shape of the operands or of the results of the kind's
  /// ops.
  OperandOrResult,
  /// Outputs with the shape of the operands.
  Operand,
  /// Outputs with the shape of the operand, or of its first elements along the
  /// axis. All outputs have the same shape.
  FirstOfOperand,
  /// Outputs with the shape of the last op's result, all in the same
  /// permutation of its dims.
  ResultInAnyOrder,
  /// Only the result of the last op.
  ResultAlone
};

enum class Holds { One, Several };

/// A row of FusionKinds.def.
struct FusionKindInfo {
  llvm::StringLiteral name;
  /// True for ops around which a kernel of this kind is built.
  bool (*isAbout)(mlir::Operation *op);
  llvm::StringLiteral what;
  Holds holds;
  Stores stores;
};
llvm::ArrayRef<FusionKindInfo> fusionKinds();

/// The names of the kinds.
namespace kinds {
#define TX_FUSION_KIND(NAME, ...)                                              \
  inline constexpr llvm::StringLiteral NAME = #NAME;
#include "ir/tx/FusionKinds.def"
} // namespace kinds

/// Returns the sort whose sorted elements the op computes. This is the op
/// itself, or, if the op is a slice of the first elements of a sort that
/// nothing else reads, that sort. Null for other ops.
mlir::Operation *sortOf(mlir::Operation *op);

/// True for calls that factorize or solve small matrices of known sizes. On
/// GPUs they become kernels. If the config contains `pairs`, a last dim of two
/// holds complex numbers (docs/design/0042-linear-algebra.md).
bool isOfSmallMatrices(mlir::Operation *op);

/// Returns the row of a kind, or null for a kind that is known only to a
/// target's emitter.
const FusionKindInfo *findFusionKind(llvm::StringRef name);

/// Checks that the fusion's kind can store outputs of these shapes. The body's
/// ops need not have been verified.
mlir::LogicalResult verifyFusionOutputs(FusionOp fusion);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_STRUCTURE_TXFUSION_H
