//===- ReducedLoops.h - Loops over reduced dims -----------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCEDLOOPS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCEDLOOPS_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen::simd {

/// Emits the loops over the reduced dims: over all indices, or over a range of
/// row-major positions. In row reductions, the innermost loop is vectorized.
class ReducedLoops {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Step = llvm::function_ref<mlir::FailureOr<Values>(
      const Values &dims, mlir::Value mask, mlir::ValueRange carried)>;

  /// The references are to members of a plan that are set after this object is
  /// constructed.
  ReducedLoops(KernelBuilder &kernel, bool isRow, const CollapsedDims &loops,
               const llvm::SmallVector<unsigned> &reducedLoops,
               const std::optional<ExpressionEmitter::Lanes> &lanes)
      : kernel(kernel), b(kernel.b), isRow(isRow), loops(loops),
        reducedLoops(reducedLoops), lanes(lanes) {}

  /// True if lane 0 is at a multiple of the number of lanes. Valid while a step
  /// is emitted.
  bool startsAtMultiples = false;

  /// Returns the number of elements that are reduced to one result.
  mlir::AffineExpr count();
  mlir::FailureOr<Values> forPositions(Values dims, mlir::Value mask,
                                       mlir::ValueRange carried,
                                       mlir::Value lower, mlir::Value upper,
                                       mlir::AffineExpr size, Step step);
  mlir::FailureOr<Values> forAll(unsigned level, Values dims, mlir::Value mask,
                                 Step step);

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  bool isRow;
  const CollapsedDims &loops;
  const llvm::SmallVector<unsigned> &reducedLoops;
  const std::optional<ExpressionEmitter::Lanes> &lanes;

  bool isFewSteps(mlir::AffineExpr size);
  mlir::FailureOr<Values> innermost(Values dims, mlir::Value mask,
                                    mlir::ValueRange carried, mlir::Value lower,
                                    mlir::Value upper, mlir::AffineExpr size,
                                    mlir::Value before, Step step);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCEDLOOPS_H
