//===- TransposedWords.h - Transpose narrow elements of y as words --------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDWORDS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDWORDS_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Adds the products of a block to `carried`. `block` holds a vector of y per
/// step, for vector `vector` of the tile's lanes.
using BlockStep = llvm::function_ref<mlir::FailureOr<Values>(
    const Values &dims, unsigned vector, llvm::ArrayRef<mlir::Value> block,
    mlir::ValueRange carried)>;

/// Transposes narrow elements of y as words of four bytes before they are
/// widened, which takes a fraction of the shuffles. A cache line of each column
/// is transposed into memory, word by word. Each step then extracts its element
/// from the words and widens it, for all lanes at once. Two 4-bit integers
/// share a byte, which both steps read.
class TransposedWords {
public:
  TransposedWords(ContractionPlan &plan, const Tiling &tiling,
                  const ColumnReads &y)
      : plan(plan), tiling(tiling), y(y), kernel(plan.kernel), b(plan.b) {}

  /// Allocates room for two lines of all columns of a tile.
  void allocate();
  /// True if the next line is transposed while this one is multiplied, as the
  /// hardware prefetcher does not fetch that far ahead.
  bool isPipelined();
  /// Transposes the line that begins at the step in `dims`, for all columns.
  mlir::LogicalResult transposeLines(const Values &dims, const Tile &tile);
  /// Emits the steps of the line that begins at the step in `dims`; K ends at
  /// `end`. Iterates over blocks, and over all vectors of the tile in each
  /// block, so that dependency chains of accumulators overlap.
  mlir::FailureOr<Values> emitLine(const Values &dims, const Tile &tile,
                                   mlir::Value end, mlir::ValueRange carried,
                                   BlockStep step);

private:
  Values wordsOf(const BlockRead &read, int64_t count,
                 const analysis::IterationSpace &blocks, Values dims,
                 mlir::Value lane);
  mlir::Value placeOfWord(unsigned read, mlir::Value lineBegin,
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
