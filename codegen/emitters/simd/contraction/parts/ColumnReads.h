//===- ColumnReads.h - Memory layout of y -----------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// Bytes of a word. Narrow elements are transposed, and multiplied in groups,
/// as words.
inline constexpr int64_t wordBytes = 4;

/// Returns the size in bytes of an element of v in memory.
int64_t bytesOf(mlir::Value v);
/// Returns the size in bytes of an element of y as it is multiplied.
int64_t bytesOfY(ContractionPlan &plan);

/// A read of a narrow input that is contiguous along K. A column of a block is
/// a few words.
struct BlockRead {
  mlir::BlockArgument input;
  /// Position of the block's first step, and the offset of each step from it.
  mlir::AffineExpr position;
  llvm::SmallVector<int64_t> offsets;
  /// The input's index at each step of the block.
  llvm::SmallVector<analysis::Index> indices;

  /// Returns the number of bits of an element.
  int64_t bits() const;
  /// Returns the number of words per column in a block, a power of 2. 0 if
  /// elements do not have 8 or 16 bits, or if a column is not made of whole
  /// words.
  int64_t words() const;
};

/// Blocks of narrow elements that are transposed before they are widened.
struct NarrowBlocks {
  /// Empty if y cannot be read this way.
  llvm::SmallVector<BlockRead> reads;
  /// K steps of a block, and of the blocks that are transposed together (a
  /// cache line of each column).
  int64_t steps = 0, lineSteps = 0;
};

/// The loops in which y is read (those of the contraction, or separate ones to
/// pack a panel), and y's layout as seen from the innermost K loop.
struct ColumnReads {
  std::optional<analysis::IterationSpace> space;
  analysis::Index index;
  /// The innermost loop of the lanes, and the loops outside of it: lanes of the
  /// contraction may be several contiguous runs in memory.
  unsigned laneLoop = 0;
  llvm::SmallVector<unsigned> runLoops;
  llvm::SmallVector<unsigned> sumLoops;
  /// Maps each loop of the contraction that y depends on, other than lanes and
  /// K, to the corresponding loops of y.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<unsigned>>> others;
  /// True if y is contiguous along the innermost K loop. Blocks with as many
  /// steps as lanes are then loaded along K and transposed in registers.
  bool alongSum = false;
  /// True if y is contiguous along the lanes.
  bool alongLanes = false;
  /// Strides along the innermost K loop and along the lanes, in elements. 0 if
  /// unknown.
  int64_t stepElements = 0, laneElements = 0;
  /// Size in bytes of the widest element that is read.
  int64_t elementBytes = 1;
  NarrowBlocks narrow;

  mlir::AffineExpr size(unsigned loop) const { return space->getSizes()[loop]; }
  /// Plans to read y in the loops of the contraction.
  static ColumnReads inPlace(ContractionPlan &plan);
  /// Plans to read y in separate loops. Dims that form one loop of the
  /// contraction are also one loop here if y has a single stride along them.
  /// Positions in a panel do not depend on this.
  static ColumnReads forPanel(ContractionPlan &plan);
};

using MemoryRead = llvm::function_ref<void(
    mlir::BlockArgument, const analysis::Index &, mlir::AffineExpr position)>;
/// Calls `onRead` for each input that `v` reads at the index. Returns false if
/// a read is guarded.
bool walkMemory(ContractionPlan &plan, mlir::Value v,
                const analysis::Index &index,
                const analysis::IterationSpace &space, MemoryRead onRead);
/// Calls `onRead` for each read of y whose position depends on both loops.
/// Returns false if a read is guarded.
bool walkReadsAlong(ContractionPlan &plan,
                    const analysis::IterationSpace &space,
                    const analysis::Index &index, unsigned laneLoop,
                    unsigned sumLoop, MemoryRead onRead);

/// Returns y's iteration space, with the innermost K loop in blocks of `steps`.
analysis::IterationSpace spaceOfBlocks(ContractionPlan &plan,
                                       const ColumnReads &reads, int64_t steps);
/// Returns the index of y at step `step` of a block.
analysis::Index indexInBlock(const ColumnReads &reads,
                             const analysis::IterationSpace &blocks,
                             int64_t steps, int64_t step);

/// True if y lies in memory as panels of this many lanes (HoistPacking.cpp), so
/// that several tiles of rows can read it in place.
bool liesAsPanel(ContractionPlan &plan, int64_t lanes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
