//===- LoopNest.h - Loops that skeletons are made of ----------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
#define TENSORC_CODEGEN_EMITTERS_LOOPNEST_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen {

/// The dims of a tensor merged into fewer loops.
struct CollapsedDims {
  /// Sizes of the loops.
  llvm::SmallVector<mlir::AffineExpr> sizes;
  /// Per original dim: its index as an expression over the loops' dims.
  analysis::Index index;
  /// Per loop: the last original dim it runs through.
  llvm::SmallVector<unsigned> innermost;

  /// A loop of one step for a dim of size 1.
  void addUnitLoop(unsigned dim, tx::DimSpace &names);

  /// The size of the innermost loop, if that is a few elements of the last dim
  /// alone, and not the only loop; else 0.
  int64_t sizeOfShortRow() const;
  /// It is not a loop any more: ExpressionEmitter::storeShortRows stores all.
  void takeShortRows(tx::DimSpace &names);
};

/// Whether the values that a skeleton computes itself (`bound`) are read only
/// at the index where it does: at any other, they would be another element's.
mlir::LogicalResult
verifyReadInPlace(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
                  llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
                  llvm::function_ref<bool(mlir::Value)> bound,
                  const analysis::Index &place);

/// Merges neighbours where every read and write of the fusion runs through both
/// in one stride: then one loop over the inner dim's index, beyond its size,
/// visits both. Dims of size 1 get no loop. `mayMerge(i)` says whether dim i
/// may go into one loop with dim i + 1. `stops` are values whose producers are
/// not part of the nest.
CollapsedDims
collapseDims(KernelBuilder &kernel, llvm::ArrayRef<mlir::AffineExpr> sizes,
             llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
             llvm::function_ref<bool(mlir::Value)> stop,
             llvm::function_ref<bool(unsigned)> mayMerge);

/// The loops of a fusion whose outputs have one shape. Errors are diagnostics.
mlir::FailureOr<CollapsedDims> collapseOutputs(KernelBuilder &kernel);

/// The inputs in memory that outputs equal outside of what an op replaces:
/// dynamic_update_slice its window, and a scatter, in a kernel of its own, its
/// updates. One for each output, which nothing else reads; none if an output is
/// made in another way. Where all outputs are these inputs' memory, what is not
/// replaced is in its place.
llvm::SmallVector<mlir::BlockArgument> keptInputs(KernelBuilder &kernel);
/// An i1: whether all outputs are their kept inputs' memory.
mlir::Value keepsInputs(KernelBuilder &kernel);

/// Lanes of one register for the widest element that the fusion computes, other
/// than numbers of rows.
int64_t registerLanes(KernelBuilder &kernel);

/// Whether a row of the result is one of x, as in an embedding.
bool takesRows(mlir::Operation &op);

using LaneBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value i, mlir::Value mask, mlir::ValueRange carried)>;

/// Whether what a fusion computes is so little that emitting it twice, for
/// whole vectors and for the rest, costs little: whole vectors are read faster.
bool isQuick(KernelBuilder &kernel);

/// for i in [lower, upper) by `width` lanes, carrying values. The body is
/// emitted once under a mask, or without one and a second time for the rest:
/// if it is quick and `mayRepeat`, or where masked memory is not cheap. `size`,
/// if constant, is upper - lower.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
forLanes(KernelBuilder &kernel, mlir::Value lower, mlir::Value upper,
         int64_t width, mlir::AffineExpr size, mlir::ValueRange carried,
         LaneBody body, bool mayRepeat = true);

/// for i in [0, upper) of a row of outputs that begins at `place`, so that
/// whole vectors are aligned there: the body is emitted three times, before and
/// behind these under a mask. The last line, which is the next row's, too, is
/// asked for: it would wait for memory.
mlir::LogicalResult forLanesOfOutputs(KernelBuilder &kernel, mlir::Value place,
                                      mlir::Value upper, int64_t width,
                                      LaneBody body);

/// for i in [0, size), a part of a row: the body is emitted twice, without a
/// mask and under the one of the last vector, which is known.
mlir::LogicalResult forLanesOfPart(KernelBuilder &kernel, int64_t size,
                                   int64_t width, LaneBody body);

/// Lanes l with i + l < upper; none if i is beyond it.
mlir::Value laneMask(KernelBuilder &kernel, mlir::Value i, mlir::Value upper,
                     int64_t width);

/// Whether `count` elements of an output are for sure more than caches hold.
bool exceedCaches(KernelBuilder &kernel, mlir::AffineExpr count);

/// An i1: whether stores of `width` lanes at i, up to `upper`, should go past
/// the caches, because `count` elements are more than caches hold. Null: never.
/// Places are aligned if `rowSize`, the elements from one row to the next, is a
/// multiple of the lanes (null: there is one row).
mlir::Value streamingStores(KernelBuilder &kernel, mlir::AffineExpr count,
                            mlir::AffineExpr rowSize, mlir::Value i,
                            mlir::Value upper, int64_t width);

/// Whether stores of rows that begin anywhere should go past the caches, too:
/// but for the first and the last ones of a row, by aligned vectors.
bool streamsUnalignedRows(KernelBuilder &kernel, mlir::AffineExpr count,
                          mlir::AffineExpr rowSize, int64_t width);

/// At `width` lanes from i on of a row of `rowSize` elements: asks for those of
/// the next row, in every input of this shape. Nothing if rows are too short,
/// or too long for a cache, or of unknown size.
void prefetchNextRow(KernelBuilder &kernel, ExpressionEmitter &elements,
                     const analysis::IterationSpace &space,
                     const analysis::Index &index,
                     llvm::ArrayRef<mlir::AffineExpr> shape,
                     mlir::AffineExpr rowSize, mlir::Value i, int64_t width);

/// for i in [lower, upper) by `step`, carrying values.
using ForBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value i, mlir::ValueRange carried)>;
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
forRange(KernelBuilder &kernel, mlir::Value lower, mlir::Value upper,
         int64_t step, mlir::ValueRange carried, ForBody body);

/// Index values of a position in row-major order over loops of these sizes.
llvm::SmallVector<mlir::Value>
delinearize(KernelBuilder &kernel, mlir::Value position,
            llvm::ArrayRef<mlir::AffineExpr> sizes);

mlir::Value indexConstant(KernelBuilder &kernel, int64_t value);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_LOOPNEST_H
