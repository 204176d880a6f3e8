//===- ScatterSkeleton.h - Scatter: ordered updates without atomics -------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Emits a scatter as two kernels: a loop that computes x into the output, and
/// one that applies the updates. Dims along which all windows begin at 0 are
/// *free*: updates at different indices of these never collide and are applied
/// in parallel. Along the other dims, updates are applied in the order of the
/// index vectors. This needs no atomics, and every run gives the same bits.
class ScatterSkeleton {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<mlir::LogicalResult(const Values &dims)>;

  explicit ScatterSkeleton(KernelBuilder &kernel);

  /// Returns the free dims of the updates that have more than one element,
  /// outermost first.
  llvm::ArrayRef<unsigned> freeDims() const { return free; }
  mlir::AffineExpr sizeOf(unsigned dim) const { return sizes[dim]; }
  /// Returns the number of updates per free index.
  mlir::AffineExpr updatesOfElement();
  /// Returns null indices for the dims of the space.
  Values noDims() const { return Values(space.getRank()); }

  /// Emits `body` for each index vector and each position in its window along
  /// the dims that are not free, in order, if it is inside the output.
  mlir::LogicalResult forEachUpdate(Values dims, Body body);
  /// Updates the element (or a vector of lanes along a dim) at these dims.
  mlir::LogicalResult
  update(const Values &dims,
         std::optional<ExpressionEmitter::Lanes> lanes = std::nullopt,
         mlir::Value mask = {});

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::ScatterOp op;
  /// Sizes of the updates' dims, followed by those of x's dims that index
  /// vectors address. An index along the latter is known only once an index
  /// vector has been loaded.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// Dims of the updates. `batch`: over index vectors. `bound`: dims of the
  /// window that an index shifts or that have one element. `free`: other dims
  /// of the window.
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

/// Emits both kernels, with the emitters of a family (simd or simt).
mlir::FailureOr<EmittedKernels> emitScatter(
    KernelBuilder &kernel,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)> emitLoop,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)>
        emitUpdates);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
