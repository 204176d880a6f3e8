//===- ReductionPlan.h - What a fusion around reductions consists of ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H

#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The reductions with their phases, the loops, and how states combine: what
/// the skeletons of all families share.
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
  /// None: states are scalars.
  std::optional<ExpressionEmitter::Lanes> lanes;

  /// Results so far at the current index of the kept dims.
  llvm::DenseMap<mlir::Value, mlir::Value> results;

  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  mlir::LogicalResult findReductions();
  /// Finds the loops: at least one over reduced dims, and one over kept dims if
  /// wanted.
  mlir::LogicalResult findLoops(bool wantsKeptLoop);
  /// The index of the kept dims, as loops see it.
  analysis::Index keptIndex();
  bool isElementLevel(mlir::Value root) { return kernel.dims(root) == shape; }
  bool storesElements();
  /// Whether such an output is computed from what is reduced.
  bool storesElementsOfResults();
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);

  Values neutral(llvm::ArrayRef<Reduction *> active);
  mlir::FailureOr<Values> combineAll(llvm::ArrayRef<Reduction *> active,
                                     mlir::ValueRange x, mlir::ValueRange y);
  /// Row-major position within the reduced dims as i64, per lane if there are
  /// lanes.
  mlir::Value position(ExpressionEmitter &elements);
  /// The states with one more element in each, or in each lane.
  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     ExpressionEmitter &elements,
                                     mlir::ValueRange states);
  /// States per lane as one of all lanes.
  mlir::FailureOr<Values> acrossLanes(llvm::ArrayRef<Reduction *> active,
                                      mlir::ValueRange states);
  /// The results at the current index of the kept dims.
  void setResults(llvm::ArrayRef<Reduction *> active, mlir::ValueRange states);
  void bindResults(ExpressionEmitter &elements) {
    for (auto [value, result] : results)
      elements.bind(value, result);
  }
  /// The outputs without reduced dims, and those of the whole shape.
  mlir::LogicalResult storeAtKept(ExpressionEmitter &elements);
  mlir::LogicalResult storeAtElement(ExpressionEmitter &elements,
                                     mlir::Value streaming = {});

private:
  unsigned phaseOf(mlir::Value v, llvm::DenseMap<mlir::Value, unsigned> &memo);
};

/// The kernels of a reduction, one or two by the schedule: the first of two
/// reduces parts, the second what is left of them. `make` gives a planned
/// skeleton, or null.
template <typename Make>
mlir::FailureOr<EmittedKernels> emitReduction(KernelBuilder &kernel,
                                              Make make) {
  auto whole = make(kernel);
  if (!whole)
    return mlir::failure();
  if (kernel.scheduled("kernels") == 1)
    return single(whole->emit());
  EmittedKernels result;
  result.temporaries = whole->temporaries();
  KernelBuilder first(kernel, "_partial");
  first.addTemporaries(result.temporaries);
  kernel.addTemporaries(result.temporaries);
  auto partial = make(first);
  if (!partial)
    return mlir::failure();
  mlir::FailureOr<KernelSpec> parts = partial->emitPartial();
  mlir::FailureOr<KernelSpec> finish = whole->emitFinish();
  if (failed(parts) || failed(finish))
    return mlir::failure();
  result.launches = {*parts, *finish};
  return result;
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H
