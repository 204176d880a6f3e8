//===- ScatterSkeleton.h - Scatter: ordered updates without atomics -------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SCATTERSKELETON_H

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Emits a scatter as two kernels: one computes x into the output, the other
/// applies the updates. A window dim that no index vector shifts is *free*:
/// updates at different indices along it never collide, and are applied in
/// parallel. Updates of one free index are applied sequentially, in the order
/// of the index vectors. This needs no atomics, and gives the same bits in
/// every run.
class ScatterSkeleton {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<mlir::LogicalResult(const Values &dims)>;

  explicit ScatterSkeleton(KernelBuilder &kernel);

  /// Returns the free dims of the updates, outermost first, without those of
  /// size 1.
  llvm::ArrayRef<unsigned> freeDims() const { return free; }
  mlir::AffineExpr sizeOf(unsigned dim) const { return sizes[dim]; }
  /// Returns the number of updates at each index of the free dims.
  mlir::AffineExpr updatesOfElement();
  /// Returns a null index value for each dim of the iteration space.
  Values noDims() const { return Values(space.getRank()); }

  /// For given indices of the free dims, emits `body` in loops over the index
  /// vectors and over the other window dims. Positions outside the output are
  /// skipped.
  mlir::LogicalResult forEachUpdate(Values dims, Body body);
  /// Combines the update at these dims with the output, for one element or for
  /// a vector of lanes along a dim.
  mlir::LogicalResult
  update(const Values &dims,
         std::optional<ExpressionEmitter::Lanes> lanes = std::nullopt,
         mlir::Value mask = {});

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  tx::ScatterOp op;
  /// Sizes of the iteration space: the updates' dims, followed by those dims of
  /// x that index vectors address. Indices along the latter are set when an
  /// index vector has been loaded.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// Partition of the updates' dims: `batch` enumerates index vectors, `free`
  /// holds window dims that index vectors do not shift, `bound` all other
  /// window dims.
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
