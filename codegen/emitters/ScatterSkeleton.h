//===- ScatterSkeleton.h - Updates of a tensor, in their order ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Emits a scatter as two kernels: a loop that computes x into the output, and
/// one that applies the updates. Dims of a window along which all windows begin
/// at 0 are *free*: elements that differ there never collide and are updated in
/// parallel. Along the other dims, updates happen in the order of the index
/// vectors. So there are no atomics, and every run gives the same bits.
class ScatterSkeleton {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<mlir::LogicalResult(const Values &dims)>;

  explicit ScatterSkeleton(KernelBuilder &kernel);

  /// Dims of the updates that have more than one element and that no index
  /// moves, outermost first.
  llvm::ArrayRef<unsigned> freeDims() const { return free; }
  mlir::AffineExpr sizeOf(unsigned dim) const { return sizes[dim]; }
  /// Number of updates of one free element.
  mlir::AffineExpr updatesOfElement();
  /// Index values of the space's dims before any is known.
  Values noDims() const { return Values(space.getRank()); }

  /// Runs the body for each index vector and each position in its window along
  /// the dims that are not free, in order, if it is within the output.
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
  /// Sizes of the updates' dims, then of x's dims to which index vectors point.
  /// An index along the latter is known only after an index vector was loaded.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// Dims of the updates: over index vectors; of the window, where an index
  /// moves it or it has one element; the other dims of the window.
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

/// Emits both kernels with a family's emitters.
mlir::FailureOr<EmittedKernels> emitScatter(
    KernelBuilder &kernel,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)> emitLoop,
    llvm::function_ref<mlir::FailureOr<KernelSpec>(KernelBuilder &)>
        emitUpdates);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
