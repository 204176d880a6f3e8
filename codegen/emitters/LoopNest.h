//===- LoopNest.h - Loops that skeletons are composed of ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
#define TENSORC_CODEGEN_EMITTERS_LOOPNEST_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// Loops over the dims of a tensor, where neighbouring dims may share a loop.
struct CollapsedDims {
  /// Sizes of the loops.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// The index of each original dim, as an expression over the loops' dims.
  analysis::Index index;
  /// The innermost original dim of each loop.
  llvm::SmallVector<unsigned> innermost;

  /// Adds a loop of one iteration for a dim of size 1.
  void addUnitLoop(unsigned dim, tx::DimSpace &names);

  /// Returns the size of the innermost loop if it covers only the last dim, has
  /// few iterations and is not the only loop; else 0.
  int64_t sizeOfShortRow() const;
  /// Removes the innermost loop: ExpressionEmitter::storeShortRows stores all
  /// of it.
  void takeShortRows(tx::DimSpace &names);
};

/// Checks that values which a skeleton computes itself (`bound`) are read only
/// at the index at which it computes them.
mlir::LogicalResult
verifyReadInPlace(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
                  llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
                  llvm::function_ref<bool(mlir::Value)> bound,
                  const analysis::Index &place);

/// Merges neighbouring dims if every read and write of the fusion has a single
/// stride over both. One loop over the inner dim's index then visits both by
/// running past its size. Dims of size 1 get no loop. `mayMerge(i)` is true if
/// dims i and i + 1 may share a loop. `stop` is true for values whose producers
/// are not part of the nest.
CollapsedDims
collapseDims(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
             llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
             llvm::function_ref<bool(mlir::Value)> stop,
             llvm::function_ref<bool(unsigned)> mayMerge);

/// Returns the loops of a fusion whose outputs have one shape. Reports errors
/// as diagnostics.
mlir::FailureOr<CollapsedDims> collapseOutputs(KernelBuilder &kernel);

/// Returns, for each output, the input in memory that it equals except for the
/// elements that an op replaces: the window of a dynamic_update_slice, or the
/// updates of a scatter (in a separate kernel). Nothing else reads these
/// inputs. Empty if an output is computed in another way. If every output
/// aliases its input, only the replaced elements need to be stored.
llvm::SmallVector<mlir::BlockArgument> keptInputs(KernelBuilder &kernel);
/// Returns an i1: true if all outputs alias their inputs of keptInputs.
mlir::Value keepsInputs(KernelBuilder &kernel);

/// Returns the number of lanes of a register for the widest element that the
/// fusion computes, ignoring row numbers.
int64_t registerLanes(KernelBuilder &kernel);

/// True if each row of the result is a row of x, as in an embedding lookup.
bool takesRows(mlir::Operation &op);

using LaneBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value i, mlir::Value mask, mlir::ValueRange carried)>;

/// True if the fusion computes so little that its code may be emitted twice:
/// unmasked for whole vectors, and for the tail. Unmasked loads are faster.
bool isQuick(KernelBuilder &kernel);

/// Emits a loop for i in [lower, upper) in steps of `width` lanes, with
/// loop-carried values. `size` is upper - lower if that is a constant. If it is a
/// multiple of `width`, the body is emitted once, without a mask. Otherwise it
/// is emitted once under a mask, or twice: without a mask for whole vectors and
/// under a mask for the tail. Twice is chosen if masked memory accesses are
/// slow, or if the body is quick and `mayRepeat` is set.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
forLanes(KernelBuilder &kernel, mlir::Value lower, mlir::Value upper,
         int64_t width, mlir::AffineExpr size, mlir::ValueRange carried,
         LaneBody body, bool mayRepeat = true);

/// Emits a loop for i in [0, upper) over a row of outputs that begins at
/// position `place`, so that whole vectors are aligned. The body is emitted
/// three times: for these, and under a mask before and after them. Prefetches
/// the last line, which the next row shares, as a partial store would wait for
/// memory.
mlir::LogicalResult forLanesOfOutputs(KernelBuilder &kernel, mlir::Value place,
                                      mlir::Value upper, int64_t width,
                                      LaneBody body);

/// Emits a loop for i in [0, size), a part of a row. The body is emitted twice:
/// without a mask, and under the constant mask of the last vector.
mlir::LogicalResult forLanesOfPart(KernelBuilder &kernel, int64_t size,
                                   int64_t width, LaneBody body);

/// Returns the mask of the lanes l with i + l < upper.
mlir::Value laneMask(KernelBuilder &kernel, mlir::Value i, mlir::Value upper,
                     int64_t width);

/// True if `count` elements of an output are proven to exceed the caches.
bool exceedCaches(KernelBuilder &kernel, mlir::AffineExpr count);

/// Returns an i1: true if stores of `width` lanes at i, up to `upper`, should
/// be non-temporal because `count` elements exceed the caches. Null: never.
/// Addresses are aligned if `rowSize`, the stride of rows, is a multiple of the
/// lanes (null: there is one row).
mlir::Value streamingStores(KernelBuilder &kernel, mlir::AffineExpr count,
                            mlir::AffineExpr rowSize, mlir::Value i,
                            mlir::Value upper, int64_t width);

/// True if unaligned rows should also use non-temporal stores, for the aligned
/// vectors between the first and last elements of a row.
bool streamsUnalignedRows(KernelBuilder &kernel, mlir::AffineExpr count,
                          mlir::AffineExpr rowSize, int64_t width);

/// Prefetches, in every input of this shape, the part of the next row at
/// `width` lanes from i on, for rows of `rowSize` elements. Does nothing if
/// rows are too short, too long for a cache, or of symbolic size.
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

/// Returns the indices of a row-major position over loops of these sizes.
llvm::SmallVector<mlir::Value>
delinearize(KernelBuilder &kernel, mlir::Value position,
            llvm::ArrayRef<mlir::AffineExpr> sizes);

mlir::Value indexConstant(KernelBuilder &kernel, int64_t value);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
