//===- ReductionPlan.h - Loops and phases of a reduction ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_REDUCTIONPLAN_H

#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The reductions of a fusion with their phases, the loops, and how states are
/// combined. Shared by the skeletons of all families (simd and simt).
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
  /// Lanes of the states. None: states are scalars.
  std::optional<ExpressionEmitter::Lanes> lanes;

  /// Results of reductions at the current index of the kept dims.
  llvm::DenseMap<mlir::Value, mlir::Value> results;

  mlir::AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  mlir::LogicalResult findReductions();
  /// Finds the loops: at least one over reduced dims, and one over kept dims if
  /// `wantsKeptLoop`.
  mlir::LogicalResult findLoops(bool wantsKeptLoop);
  /// Returns the index of the kept dims as an expression over the loops.
  analysis::Index keptIndex();
  bool isElementLevel(mlir::Value root) { return kernel.dims(root) == shape; }
  bool storesElements();
  /// True if an output of the whole shape depends on a reduction's result.
  bool storesElementsOfResults();
  llvm::SmallVector<Reduction *> inPhase(unsigned phase);

  Values neutral(llvm::ArrayRef<Reduction *> active);
  mlir::FailureOr<Values> combineAll(llvm::ArrayRef<Reduction *> active,
                                     mlir::ValueRange x, mlir::ValueRange y);
  /// Returns the row-major position within the reduced dims as i64, per lane if
  /// there are lanes.
  mlir::Value position(ExpressionEmitter &elements);
  /// Returns the states with one more element (per lane) accumulated.
  mlir::FailureOr<Values> accumulate(llvm::ArrayRef<Reduction *> active,
                                     ExpressionEmitter &elements,
                                     mlir::ValueRange states);
  /// Combines the lanes of each state to a scalar.
  mlir::FailureOr<Values> acrossLanes(llvm::ArrayRef<Reduction *> active,
                                      mlir::ValueRange states);
  /// Sets `results` at the current index of the kept dims from the states.
  void setResults(llvm::ArrayRef<Reduction *> active, mlir::ValueRange states);
  void bindResults(ExpressionEmitter &elements) {
    for (auto [value, result] : results)
      elements.bind(value, result);
  }
  /// Store the outputs without reduced dims, and those of the whole shape.
  mlir::LogicalResult storeAtKept(ExpressionEmitter &elements);
  mlir::LogicalResult storeAtElement(ExpressionEmitter &elements,
                                     mlir::Value streaming = {});

private:
  unsigned phaseOf(mlir::Value v, llvm::DenseMap<mlir::Value, unsigned> &memo);
};

/// Emits the kernels of a reduction, one or two as the schedule says. Of two,
/// the first reduces chunks, and the second combines their results. `make`
/// returns a planned skeleton, or null after an error.
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
