//===- ContractionPlan.h - Loops and operands of a contraction ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::tx {
class DotGeneralOp;
} // namespace tensorc::tx

namespace tensorc::codegen {

/// A tx.dot_general, without the class of the op. Most sources of contractions
/// do not include the ops of tx, so that an edit of an op does not compile them
/// again.
class Dot {
public:
  using Tensor = mlir::TypedValue<mlir::RankedTensorType>;

  Dot() = default;
  Dot(tx::DotGeneralOp dot);

  explicit operator bool() const { return op; }
  Tensor getX() const;
  Tensor getY() const;
  Tensor getResult() const;
  mlir::RankedTensorType getType() const { return getResult().getType(); }
  llvm::ArrayRef<int64_t> getXBatch() const;
  llvm::ArrayRef<int64_t> getYBatch() const;
  llvm::ArrayRef<int64_t> getXContracting() const;
  llvm::ArrayRef<int64_t> getYContracting() const;
  bool hasAttr(llvm::StringRef name) const { return op->hasAttr(name); }
  mlir::InFlightDiagnostic emitError(const llvm::Twine &message) const {
    return op->emitError(message);
  }

private:
  mlir::Operation *op = nullptr;
};

/// The loops of a contraction and the indices of its operands and outputs. All
/// skeletons for contractions use it (simd and simt).
class ContractionPlan {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  enum class Role { Batch, Row, Lane, Sum };

  explicit ContractionPlan(KernelBuilder &kernel)
      : kernel(kernel), b(kernel.b) {}

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  Dot dot;
  /// True if the operands are swapped: rows are then those of the dot's y, and
  /// lanes are the columns of its x. Multiplication commutes, so the bits of
  /// the results do not change.
  bool isSwapped = false;
  llvm::SmallVector<mlir::AffineExpr> shape;
  llvm::SmallVector<Role> roles;
  CollapsedDims loops;
  analysis::Index xIndex, yIndex, outIndex;
  std::optional<analysis::IterationSpace> space;
  llvm::SmallVector<unsigned> outerLoops, kLoops;
  unsigned rowLoop = 0, laneLoop = 0;
  /// Type of the accumulators: f32 for f16 and bf16.
  mlir::Type accumulator;

  /// The operand whose free dim becomes the rows of a tile, and the one whose
  /// free dim becomes its columns, which are the lanes of vectors.
  mlir::Value operandX() { return isSwapped ? dot.getY() : dot.getX(); }
  mlir::Value operandY() { return isSwapped ? dot.getX() : dot.getY(); }
  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  /// Plans one loop nest that reads both operands and writes the outputs.
  mlir::LogicalResult planNest();
  /// Plans the loops again. If `withY` is false, loads of y do not restrict
  /// which dims are collapsed, because separate loops read it.
  void planLoops(bool withY);
  /// Sets the indices of operands and outputs, given the index of each dim of
  /// `shape`.
  void planIndices(const analysis::Index &all);
  /// Sets only shape, roles and the indices in terms of `shape`. For skeletons
  /// that read the operands in separate loops.
  mlir::LogicalResult planDims();
  /// Determines the order of the dot's dims in the outputs. Fails if outputs
  /// differ in it.
  mlir::LogicalResult findOutput();
  /// Returns the index in the outputs for an index of the dot's result.
  analysis::Index outputAt(llvm::ArrayRef<mlir::AffineExpr> all) const;
  mlir::Value widen(mlir::Value v);
  /// Returns x * y + sum for vectors. Floats are rounded once.
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value sum);

private:
  mlir::LogicalResult findDot();

  /// The output dim of each dim of the dot's result.
  llvm::SmallVector<unsigned> outputDims;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
