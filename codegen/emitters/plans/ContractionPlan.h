//===- ContractionPlan.h - Loops and operands of a contraction ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H

#include "codegen/emitters/LoopNest.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// The loops of a contraction and the indices of its operands and outputs, for
/// the skeletons of all families (simd and simt).
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
  /// are columns of its x. Multiplication commutes, so the results are the same
  /// bits.
  bool isSwapped = false;
  llvm::SmallVector<mlir::AffineExpr> shape;
  llvm::SmallVector<Role> roles;
  CollapsedDims loops;
  analysis::Index xIndex, yIndex, outIndex;
  std::optional<analysis::IterationSpace> space;
  llvm::SmallVector<unsigned> outerLoops, sumLoops;
  unsigned rowLoop = 0, laneLoop = 0;
  /// Type of the accumulators; f32 for f16 and bf16.
  mlir::Type accumulator;

  /// The operand whose dim becomes the rows of a tile, and the one whose dim
  /// becomes its lanes.
  mlir::Value operandX() { return isSwapped ? dot.getY() : dot.getX(); }
  mlir::Value operandY() { return isSwapped ? dot.getX() : dot.getY(); }
  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  /// Plans one nest of loops for operands and outputs.
  mlir::LogicalResult planNest();
  /// Plans the loops again. Without y, which is then read in separate loops,
  /// dims merge as reads of x and writes of outputs allow.
  void planLoops(bool withY);
  /// Sets the indices of operands and outputs, given those of all dims.
  void planIndices(const analysis::Index &all);
  /// Plans only shape, roles and the indices over `shape`, for skeletons with
  /// separate loops for each operand.
  mlir::LogicalResult planDims();
  /// Finds the order in which the outputs hold the dot's dims. Fails unless all
  /// outputs have the same.
  mlir::LogicalResult findOutput();
  /// Returns the index in the outputs for given indices of the dot's dims.
  analysis::Index outputAt(llvm::ArrayRef<mlir::AffineExpr> all) const;
  mlir::Value widen(mlir::Value v);
  /// Returns x * y + sum of vectors; floats are rounded once.
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value sum);

private:
  mlir::LogicalResult findDot();

  /// Maps each dim of the dot to the dim of the outputs.
  llvm::SmallVector<unsigned> outputDims;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_CONTRACTIONPLAN_H
