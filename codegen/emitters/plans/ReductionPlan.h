//===- ReductionPlan.h - Loops and phases of a reduction ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H

#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The reductions of a fusion, the loops around them, and the combination of
/// their states. A reduction is in phase n + 1 if it depends on the result of
/// one in phase n. All skeletons for reductions use it (simd and simt).
class ReductionPlan {
public:
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
  /// The vectorized dim of the states, or nullopt if they are scalars.
  std::optional<ExpressionEmitter::Lanes> lanes;

  /// Maps each reduction's value to its result at the current index of the kept
  /// dims.
  llvm::DenseMap<mlir::Value, mlir::Value> results;

  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  mlir::LogicalResult findReductions();
  /// Finds the loops: at least one over reduced dims, and if `wantsKeptLoop` is
  /// set, at least one over kept dims.
  mlir::LogicalResult findLoops(bool wantsKeptLoop);
  /// Returns the index of each kept dim, as an expression over the loops.
  analysis::Index keptIndex();
  bool isElementLevel(mlir::Value root) { return kernel.dims(root) == shape; }
  bool storesElements();
  /// True if an output of the shape of the operand depends on a reduction's
  /// result.
  bool storesElementsOfResults();
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);

  Values neutral(llvm::ArrayRef<Reduction *> active);
  mlir::FailureOr<Values> combineAll(llvm::ArrayRef<Reduction *> active,
                                     mlir::ValueRange x, mlir::ValueRange y);
  /// Returns the row-major position of the current element within the reduced
  /// dims, as i64 or as a vector with one per lane.
  mlir::Value position(ExpressionEmitter &elements);
  /// Returns the states after accumulating the current element (or one per
  /// lane).
  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     ExpressionEmitter &elements,
                                     mlir::ValueRange states);
  /// Reduces the lanes of each state to a scalar.
  mlir::FailureOr<Values> acrossLanes(llvm::ArrayRef<Reduction *> active,
                                      mlir::ValueRange states);
  /// Sets `results` for the current index of the kept dims, from the final
  /// states.
  void setResults(llvm::ArrayRef<Reduction *> active, mlir::ValueRange states);
  void bindResults(ExpressionEmitter &elements) {
    for (auto [value, result] : results)
      elements.bindValue(value, result);
  }
  /// Store the outputs that have only the kept dims, or those of the operand's
  /// shape.
  mlir::LogicalResult storeAtKept(ExpressionEmitter &elements);
  mlir::LogicalResult storeAtElement(ExpressionEmitter &elements,
                                     mlir::Value streaming = {});

private:
  unsigned phaseOf(mlir::Value v, llvm::DenseMap<mlir::Value, unsigned> &memo);
};

/// Emits a reduction as one or two kernels, as its schedule says. If there are
/// two, the first reduces chunks and the second combines their results. `make`
/// returns a planned skeleton, or null after it has reported an error.
template <typename Make>
mlir::FailureOr<EmittedKernels> emitReduction(KernelBuilder &kernel,
                                              Make make) {
  auto skeleton = make(kernel);
  if (!skeleton)
    return mlir::failure();
  if (kernel.scheduled("kernels") == 1)
    return single(skeleton->emit());
  EmittedKernels result;
  result.temporaries = skeleton->temporaries();
  KernelBuilder first(kernel, "_partial");
  first.addTemporaries(result.temporaries);
  kernel.addTemporaries(result.temporaries);
  auto partial = make(first);
  if (!partial)
    return mlir::failure();
  mlir::FailureOr<KernelSpec> parts = partial->emitPartial();
  mlir::FailureOr<KernelSpec> finish = skeleton->emitFinish();
  if (failed(parts) || failed(finish))
    return mlir::failure();
  result.launches = {*parts, *finish};
  return result;
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H
