//===- LoopNest.h - Loops from which skeletons are composed ---------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
#define TENSORC_CODEGEN_EMITTERS_LOOPNEST_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// The loops over the dims of a tensor. Consecutive dims may be collapsed into
/// one loop.
struct CollapsedDims {
  /// Sizes of the loops.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// The index along each original dim, as an expression over the loops' dims.
  analysis::Index index;
  /// The innermost original dim of each loop.
  llvm::SmallVector<unsigned> innermost;

  /// Adds a loop of one iteration for a dim of size 1.
  void addUnitLoop(unsigned dim, tx::DimSpace &names);

  /// If the innermost loop covers the last dim alone, is not the only loop and
  /// has at most ExpressionEmitter::longestRow iterations, returns its size; 0
  /// otherwise.
  int64_t sizeOfShortRow() const;
  /// Removes the innermost loop. ExpressionEmitter::storeShortRows unrolls it.
  void dropShortRowLoop(tx::DimSpace &names);
};

/// Checks that the values for which `bound` returns true, which a skeleton
/// computes itself, are read only at the index `expected`, where it computes
/// them.
mlir::LogicalResult
verifyReadInPlace(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
                  llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
                  llvm::function_ref<bool(mlir::Value)> bound,
                  const analysis::Index &expected);

/// Collapses consecutive dims into one loop if each read and write of the
/// fusion has a single stride over both. The merged loop uses the index of the
/// inner dim, which runs past the dim's size. Dims of size 1 get no loop.
/// `mayMerge(i)` returns true if dims i and i + 1 may share a loop. `stop`
/// returns true for values whose producers are outside of the nest.
CollapsedDims
collapseDims(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
             llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
             llvm::function_ref<bool(mlir::Value)> stop,
             llvm::function_ref<bool(unsigned)> mayMerge);

/// Returns the collapsed loops of a fusion whose outputs all have the same
/// shape. Reports errors as diagnostics.
mlir::FailureOr<CollapsedDims> collapseOutputs(KernelBuilder &kernel);

/// For each output that differs from an input only by a dynamic_update_slice or
/// by the updates of a scatter (which a second kernel applies), returns that
/// input. Nothing else reads it, so if all outputs alias their inputs, only the
/// replaced elements need to be stored. Returns an empty list if any output is
/// computed in another way.
llvm::SmallVector<mlir::BlockArgument> keptInputs(KernelBuilder &kernel);
/// Returns an i1 that is true if every output aliases its input of keptInputs.
mlir::Value keepsInputs(KernelBuilder &kernel);

/// Returns the number of lanes of a vector register for the widest element type
/// that the fusion computes with. Row numbers of gathers do not count.
int64_t registerLanes(KernelBuilder &kernel);

/// True if the op gathers whole rows of x, as an embedding lookup does.
bool gathersRows(mlir::Operation &op);

using LaneBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value i, mlir::Value mask, mlir::ValueRange carried)>;

/// True if the fusion computes so little that emitting its code twice, unmasked
/// for whole vectors and masked for the tail, pays off. Unmasked loads are
/// faster.
bool isCheap(KernelBuilder &kernel);

/// Emits a loop for i in [lower, upper) in steps of `width` lanes, with
/// loop-carried values. `size` is upper - lower if that is a constant. If
/// `size` is a multiple of `width`, the body is emitted once, without a mask.
/// Otherwise the body is emitted once under a mask, or twice: without a mask
/// for whole vectors and under a mask for the tail. Twice is chosen if masked
/// memory accesses are slow, or if isCheap() holds and `mayRepeat` is set.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
forLanes(KernelBuilder &kernel, mlir::Value lower, mlir::Value upper,
         int64_t width, mlir::AffineExpr size, mlir::ValueRange carried,
         LaneBody body, bool mayRepeat = true);

/// Emits a loop for i in [0, upper) over a row of the outputs that begins at
/// position `position`, such that all stores of whole vectors are aligned. The
/// body is emitted three times: for the aligned vectors, and under a mask for
/// the elements before and after them. Also prefetches the cache line at the
/// end of the row for writing, because a store to a part of it would wait for
/// memory.
mlir::LogicalResult forLanesOfOutputs(KernelBuilder &kernel,
                                      mlir::Value position, mlir::Value upper,
                                      int64_t width, LaneBody body);

/// Emits a loop for i in [0, size) where `size` is a constant. The body is
/// emitted without a mask for whole vectors, and once under a constant mask for
/// the tail, if there is one.
mlir::LogicalResult forLanesOfPart(KernelBuilder &kernel, int64_t size,
                                   int64_t width, LaneBody body);

/// Returns the mask of the lanes l with i + l < upper.
mlir::Value laneMask(KernelBuilder &kernel, mlir::Value i, mlir::Value upper,
                     int64_t width);

/// True if `count` elements of an output are known to exceed the caches.
bool exceedCaches(KernelBuilder &kernel, mlir::AffineExpr count);

/// Returns an i1 that is true if the store of `width` lanes at i should be
/// non-temporal: all lanes are below `upper`, and outputs of `count` elements
/// exceed the caches. Null if it never should. `rowSize` is the stride of rows
/// (null: there is one row): stores are aligned if it is a multiple of `width`.
mlir::Value streamingStores(KernelBuilder &kernel, mlir::AffineExpr count,
                            mlir::AffineExpr rowSize, mlir::Value i,
                            mlir::Value upper, int64_t width);

/// True if rows whose size is no multiple of `width` should use non-temporal
/// stores for the aligned vectors between their first and last elements.
bool streamsUnalignedRows(KernelBuilder &kernel, mlir::AffineExpr count,
                          mlir::AffineExpr rowSize, int64_t width);

/// Prefetches the next row's elements at [i, i + width) from every input of the
/// given shape. `index` is the current index, and rows have `rowSize` elements.
/// Does nothing if a row is too short, has a symbolic size or exceeds a quarter
/// of L2.
void prefetchNextRow(KernelBuilder &kernel, ExpressionEmitter &elements,
                     const analysis::IterationSpace &space,
                     const analysis::Index &index,
                     llvm::ArrayRef<mlir::AffineExpr> shape,
                     mlir::AffineExpr rowSize, mlir::Value i, int64_t width);

/// Emits a loop for i in [lower, upper) by `step`, with loop-carried values.
using ForBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value i, mlir::ValueRange carried)>;
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
forRange(KernelBuilder &kernel, mlir::Value lower, mlir::Value upper,
         int64_t step, mlir::ValueRange carried, ForBody body);

/// Splits a row-major position into the indices of loops of these sizes.
llvm::SmallVector<mlir::Value>
delinearize(KernelBuilder &kernel, mlir::Value position,
            llvm::ArrayRef<mlir::AffineExpr> sizes);

mlir::Value indexConstant(KernelBuilder &kernel, int64_t value);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
