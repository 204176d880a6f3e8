//===- TransposedWords.h - Transposes narrow elements of y as words -------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDWORDS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDWORDS_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Adds the products of a block to the accumulators `carried`. `block` holds
/// one vector of y per K step, for vector `vector` of the tile's lanes.
using BlockStep = llvm::function_ref<mlir::FailureOr<Values>(
    const Values &dims, unsigned vector, llvm::ArrayRef<mlir::Value> block,
    mlir::ValueRange carried)>;

/// Transposes narrow elements of y in words of four bytes before they are
/// widened, which takes a fraction of the shuffles. One cache line of each
/// column at a time is transposed into memory. Each K step then extracts its
/// element from the words and widens it, for all lanes at once. Two 4-bit
/// integers share a byte, which both of their steps load.
class TransposedWords {
public:
  TransposedWords(ContractionPlan &plan, const Tiling &tiling,
                  const ColumnReads &y)
      : plan(plan), tiling(tiling), y(y), kernel(plan.kernel), b(plan.b) {}

  /// Allocates memory for two cache lines of each column of a tile.
  void allocate();
  /// True if the next line is transposed while the current one is multiplied. K
  /// must be long, because the hardware prefetcher does not run that far ahead.
  bool isPipelined();
  /// Transposes the cache line that begins at the K step in `dims`, for all
  /// columns.
  mlir::LogicalResult transposeLines(const Values &dims, const Tile &tile);
  /// Emits the K steps of the cache line that begins at the step in `dims`; K
  /// ends at `end`. Loops over blocks, and inside over the vectors of the tile,
  /// so that the dependency chains of different accumulators overlap.
  mlir::FailureOr<Values> emitLine(const Values &dims, const Tile &tile,
                                   mlir::Value end, mlir::ValueRange carried,
                                   BlockStep step);

private:
  Values wordsOf(const BlockRead &read, int64_t count,
                 const analysis::IterationSpace &blocks, Values dims,
                 mlir::Value lane);
  mlir::Value offsetOfWord(unsigned read, mlir::Value lineBegin,
                           mlir::Value word, mlir::Value vector);
  void prefetchNextTile(const BlockRead &read,
                        const analysis::IterationSpace &blocks, Values dims,
                        mlir::Value vector);
  void transposeLine(Values dims, const Tile &tile, mlir::Value vector);
  mlir::FailureOr<Values> loadBlock(Values dims, const Tile &tile,
                                    unsigned vector, mlir::Value lineBegin,
                                    mlir::Value number);

  ContractionPlan &plan;
  const Tiling &tiling;
  const ColumnReads &y;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value memory;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDWORDS_H
