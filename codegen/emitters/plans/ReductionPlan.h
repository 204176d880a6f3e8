//===- ReductionPlan.h - What a fusion around reductions consists of ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_REDUCTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_REDUCTIONPLAN_H

#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The reductions with their phases, the loops, and how states combine: what
/// the skeletons of all families share.
class ReductionPlan {
protected:
  struct Reduction {
    mlir::Operation *op;
    unsigned phase;
    Combiner combiner;
  };
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ReductionPlan(KernelBuilder &kernel) : kernel(kernel), b(kernel.b) {}

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;

  llvm::SmallVector<mlir::AffineExpr> shape;
  llvm::SmallVector<bool> isReduced;
  llvm::SmallVector<Reduction> reductions;
  unsigned phases = 0;

  CollapsedDims loops;
  std::optional<analysis::IterationSpace> space;
  llvm::SmallVector<unsigned> keptLoops, reducedLoops;
  /// None: states are scalars.
  std::optional<ExpressionEmitter::Lanes> lanes;

  /// Results so far at the current index of the kept dims.
  llvm::DenseMap<mlir::Value, mlir::Value> results;

  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  mlir::LogicalResult findReductions();
  /// At least one reduced loop, and one kept loop if wanted.
  mlir::LogicalResult findLoops(bool wantsKeptLoop);
  /// The index of the kept dims, as loops see it.
  analysis::Index keptIndex();
  bool isElementLevel(mlir::Value root) { return kernel.dims(root) == shape; }
  bool storesElements();
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);

  Values neutral(llvm::ArrayRef<Reduction *> active);
  mlir::FailureOr<Values> combineAll(llvm::ArrayRef<Reduction *> active,
                                     mlir::ValueRange x, mlir::ValueRange y);
  /// Row-major position within the reduced dims as i64, per lane if there are
  /// lanes.
  mlir::Value position(ExpressionEmitter &elements);
  void bindResults(ExpressionEmitter &elements) {
    for (auto [value, result] : results)
      elements.bind(value, result);
  }

private:
  unsigned phaseOf(mlir::Value v, llvm::DenseMap<mlir::Value, unsigned> &memo);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REDUCTIONPLAN_H
