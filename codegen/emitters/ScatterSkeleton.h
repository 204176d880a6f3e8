//===- ScatterSkeleton.h - Updates of a tensor, in their order ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// A scatter is two kernels: a loop that computes x into the output, and one
/// that updates it. Dims of a window along which all windows begin at 0 are
/// free: elements that differ there never meet, and may be updated in parallel.
/// Along the others everything happens in the order of the index vectors, so
/// there are no atomics and the result has the same bits in every run.
class ScatterSkeleton {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<mlir::LogicalResult(const Values &dims)>;

  explicit ScatterSkeleton(KernelBuilder &kernel);

  /// Dims of the updates, of more than one element, that no index moves,
  /// outermost first.
  llvm::ArrayRef<unsigned> freeDims() const { return free; }
  mlir::AffineExpr sizeOf(unsigned dim) const { return sizes[dim]; }
  /// Updates of one free element.
  mlir::AffineExpr updatesOfElement();
  /// Index values of the space's dims before any is known.
  Values noDims() const { return Values(space.getRank()); }

  /// For each index vector and each position in its window along the dims that
  /// are not free, in order: the body, where that lies inside the output.
  mlir::LogicalResult forEachUpdate(Values dims, Body body);
  /// Updates the element, or the lanes along a dim, at these dims.
  mlir::LogicalResult
  update(const Values &dims,
         std::optional<ExpressionEmitter::Lanes> lanes = std::nullopt,
         mlir::Value mask = {});

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::ScatterOp op;
  /// Of the updates, and behind them of x's dims that index vectors name, whose
  /// index values are known when an index vector is.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  llvm::SmallVector<unsigned> batch, bound, free;
  analysis::IterationSpace space;
  unsigned updateRank;

  static llvm::SmallVector<mlir::AffineExpr> sizesOf(KernelBuilder &kernel,
                                                     tx::ScatterOp op);
  llvm::SmallVector<mlir::AffineExpr>
  sizesAt(llvm::ArrayRef<unsigned> dims) const;
  mlir::LogicalResult forEach(llvm::ArrayRef<unsigned> over, Values dims,
                              Body body);
  mlir::FailureOr<Values> startsAt(const Values &dims);
  mlir::LogicalResult whereInside(Values dims, const Values &starts, Body body);
  mlir::Value combine(mlir::Value before, mlir::Value by);
};

/// Both kernels, by a family's emitters.
mlir::FailureOr<EmittedKernels> emitScatter(
    KernelBuilder &kernel,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)> emitLoop,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)>
        emitUpdates);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
