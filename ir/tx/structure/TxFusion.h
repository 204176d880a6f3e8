//===- TxFusion.h - What the dialect knows of fusions' kinds ----*- C++ -*-===//
#ifndef TENSORC_IR_TX_STRUCTURE_TXFUSION_H
#define TENSORC_IR_TX_STRUCTURE_TXFUSION_H

#include "ir/tx/Tx.h"

namespace tensorc::tx {

/// Which outputs a kind of kernel can store.
enum class Stores {
  /// Any, of one shape.
  Alike,
  /// Of the shape that the ops it is about read, or of their results'.
  OperandOrResult,
  /// Of the shape that they read.
  Operand,
  /// Of that shape, or of as many elements from the first on along their dim:
  /// the same for all.
  FirstOfOperand,
  /// Of the last one's result, its dims in any order, the same for all.
  ResultInAnyOrder,
  /// The last one's result, and nothing else.
  ResultAlone
};

enum class Holds { One, Several };

/// A row of FusionKinds.def.
struct FusionKindInfo {
  llvm::StringLiteral name;
  /// Whether a kernel of this kind is built around such ops.
  bool (*isAbout)(mlir::Operation *op);
  llvm::StringLiteral what;
  Holds holds;
  Stores stores;
};
llvm::ArrayRef<FusionKindInfo> fusionKinds();

/// Their names, for code that asks for one.
namespace kinds {
#define TX_FUSION_KIND(NAME, ...)                                              \
  inline constexpr llvm::StringLiteral NAME = #NAME;
#include "ir/tx/FusionKinds.def"
} // namespace kinds

/// The op whose sorted elements it is about: a sort itself, or a slice of the
/// first elements of one that nothing else reads. Null: neither.
mlir::Operation *sortOf(mlir::Operation *op);

/// Whether it is a call that factorizes or solves matrices of few rows, whose
/// sizes are known: on a grid a kernel does that. With `pairs` in the config a
/// last dim of two has complex numbers (docs/design/0042-linear-algebra.md).
bool isOfSmallMatrices(mlir::Operation *op);

/// Null: a kind that only its target's emitter knows.
const FusionKindInfo *findFusionKind(llvm::StringRef name);

/// Whether each output has a shape that the fusion's kind stores. The body's
/// ops need not have been verified.
mlir::LogicalResult verifyFusionOutputs(FusionOp fusion);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_STRUCTURE_TXFUSION_H
