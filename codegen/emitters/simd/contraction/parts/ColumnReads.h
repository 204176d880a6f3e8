//===- ColumnReads.h - How memory holds the columns of y --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// Bytes of a word: narrow elements are transposed, and multiplied in groups, by
/// words.
inline constexpr int64_t wordBytes = 4;

/// Bytes of an element in memory.
int64_t bytesOf(mlir::Value v);
/// Bytes of an element of y as it is multiplied.
int64_t bytesOfY(ContractionPlan &plan);

/// A narrow input that is contiguous along K: a column's steps of a block are a
/// few words.
struct BlockRead {
  mlir::BlockArgument input;
  /// Where the block's first step is, and offsets of all steps from there.
  mlir::AffineExpr position;
  llvm::SmallVector<int64_t> offsets;
  /// The input's index at each step.
  llvm::SmallVector<analysis::Index> indices;

  /// Bits of an element.
  int64_t bits() const;
  /// Words of a column in a block. 0 if a block is not a few whole words.
  int64_t words() const;
};

/// Blocks of narrow elements, transposed before they are widened.
struct NarrowBlocks {
  /// Empty if y is not read in this way.
  llvm::SmallVector<BlockRead> reads;
  /// K steps of a block, and of the blocks that are transposed together: a
  /// cache line of each column.
  int64_t steps = 0, lineSteps = 0;
};

/// The loops in which y is read: those of the contraction, or, to pack a panel,
/// loops of its own. And what the innermost K loop says of y's layout.
struct ColumnReads {
  std::optional<analysis::IterationSpace> space;
  analysis::Index index;
  /// The innermost loop of the tiled lanes, and those outside of it: lanes of
  /// the contraction may be several contiguous runs in memory.
  unsigned laneLoop = 0;
  llvm::SmallVector<unsigned> runLoops;
  llvm::SmallVector<unsigned> sumLoops;
  /// Per loop of the contraction that changes y, other than lanes and K: the
  /// loops that stand for it.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<unsigned>>> others;
  /// Contiguous along the innermost K loop: blocks of as many steps as there
  /// are lanes are loaded along K and transposed in registers.
  bool alongSum = false;
  /// The lanes of a vector are contiguous.
  bool alongLanes = false;
  /// Stride of the innermost K loop, and of the lanes, in elements. 0 if
  /// unknown.
  int64_t stepElements = 0, laneElements = 0;
  /// Bytes of the widest element that is read.
  int64_t elementBytes = 1;
  NarrowBlocks narrow;

  mlir::AffineExpr size(unsigned loop) const { return space->getSizes()[loop]; }
  /// Reads y in the loops of the contraction.
  static ColumnReads inPlace(ContractionPlan &plan);
  /// Reads y in loops of its own. Dims that are one loop of the contraction are
  /// one loop here, too, if y runs through them in one stride. Positions in a
  /// panel do not depend on that.
  static ColumnReads forPanel(ContractionPlan &plan);
};

using MemoryRead = llvm::function_ref<void(
    mlir::BlockArgument, const analysis::Index &, mlir::AffineExpr position)>;
/// Calls `onRead` for each input that `v` reads at the index.
/// Returns false if a read is guarded.
bool walkMemory(ContractionPlan &plan, mlir::Value v,
                const analysis::Index &index,
                const analysis::IterationSpace &space, MemoryRead onRead);
/// Calls `onRead` for what y reads at the index from memory whose position
/// changes along both loops. Returns false if a read is guarded.
bool walkReadsAlong(ContractionPlan &plan,
                    const analysis::IterationSpace &space,
                    const analysis::Index &index, unsigned laneLoop,
                    unsigned sumLoop, MemoryRead onRead);

/// The loops of y, the innermost K loop in blocks of so many steps.
analysis::IterationSpace spaceOfBlocks(ContractionPlan &plan,
                                       const ColumnReads &reads, int64_t steps);
/// The index of y at a step of a block.
analysis::Index indexInBlock(const ColumnReads &reads,
                             const analysis::IterationSpace &blocks,
                             int64_t steps, int64_t step);

/// True if y lies in memory as a panel of these lanes would: several tiles of
/// rows read it in place (HoistPacking.cpp).
bool liesAsPanel(ContractionPlan &plan, int64_t lanes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
