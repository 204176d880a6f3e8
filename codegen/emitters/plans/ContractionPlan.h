//===- ContractionPlan.h - The loops of a dot_general's fusion ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The loops of a contraction and the indices of its operands and outputs, for
/// the skeletons of all families.
class ContractionPlan {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  enum class Role { Batch, Row, Lane, Sum };

  explicit ContractionPlan(KernelBuilder &kernel)
      : kernel(kernel), b(kernel.b) {}

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::DotGeneralOp dot;
  /// True if the operands are swapped: rows are those of the dot's y, and lanes
  /// those of its x. The product of two elements is the same either way.
  bool isSwapped = false;
  llvm::SmallVector<mlir::AffineExpr> shape;
  llvm::SmallVector<Role> roles;
  CollapsedDims loops;
  analysis::Index xIndex, yIndex, outIndex;
  std::optional<analysis::IterationSpace> space;
  llvm::SmallVector<unsigned> outerLoops, sumLoops;
  unsigned rowLoop = 0, laneLoop = 0;
  /// f16 and bf16 accumulate in f32.
  mlir::Type accumulator;

  /// The operand whose dim becomes the rows of a tile, and the one whose dim
  /// becomes its lanes.
  mlir::Value operandX() { return isSwapped ? dot.getY() : dot.getX(); }
  mlir::Value operandY() { return isSwapped ? dot.getX() : dot.getY(); }
  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  /// One nest of loops for operands and outputs.
  mlir::LogicalResult planNest();
  /// The loops once more; without y, which then is read in loops of its own,
  /// they are those in which x is read and outputs are written.
  void planLoops(bool withY);
  /// The index of each operand and of the outputs, given those of all dims.
  void planIndices(const analysis::Index &all);
  /// Only shape, roles and the indices over `shape`, for skeletons that give
  /// each operand loops of its own.
  mlir::LogicalResult planDims();
  /// Finds in which order the outputs hold the dot's dims; proves that all of
  /// them do.
  mlir::LogicalResult findOutput();
  /// Returns the index in the outputs for given indices of the dot's dims.
  analysis::Index outputAt(llvm::ArrayRef<mlir::AffineExpr> all) const;
  mlir::Value widen(mlir::Value v);
  /// Returns x * y + sum of vectors, rounded once for floats.
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value sum);

private:
  mlir::LogicalResult findDot();

  /// The dim of the outputs for each dim of the dot.
  llvm::SmallVector<unsigned> outputDims;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
