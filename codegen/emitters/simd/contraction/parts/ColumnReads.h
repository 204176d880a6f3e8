//===- ColumnReads.h - Memory layout of y -----------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// Bytes of a word. Narrow elements are packed into words to be transposed or
/// multiplied.
inline constexpr int64_t wordBytes = 4;

/// Returns the size in bytes of an element of `v` in memory.
int64_t bytesOf(mlir::Value v);
/// Returns the size in bytes of an element of y in the type in which it is
/// multiplied.
int64_t bytesOfY(ContractionPlan &plan);

/// A read of a narrow input that is contiguous along K, in blocks of K steps.
/// Each column of a block consists of a few words.
struct BlockRead {
  mlir::BlockArgument input;
  /// Position of the block's first step, and offsets of all steps from it.
  mlir::AffineExpr position;
  llvm::SmallVector<int64_t> offsets;
  /// The input's index at each step of the block.
  llvm::SmallVector<analysis::Index> indices;

  /// Returns the width of an element in bits.
  int64_t bits() const;
  /// Returns the number of words per column of a block, a power of two. Returns
  /// 0 if elements do not have 8 or 16 bits, or if a column does not consist of
  /// whole words.
  int64_t words() const;
};

/// Blocks of narrow elements that are transposed before they are widened.
/// `reads` is empty if y cannot be read this way.
struct NarrowBlocks {
  /// Reads of the inputs that y is computed from.
  llvm::SmallVector<BlockRead> reads;
  /// Number of K steps of a block, and of the blocks that are transposed
  /// together, which fill a cache line per column.
  int64_t steps = 0, lineSteps = 0;
};

/// The loops in which y is read, and its layout in terms of the innermost K
/// loop. The loops are those of the contraction, or separate ones that pack a
/// panel.
struct ColumnReads {
  std::optional<analysis::IterationSpace> space;
  analysis::Index index;
  /// The innermost loop over columns, and the column loops outside of it: the
  /// columns of the contraction may be several contiguous runs in memory.
  unsigned laneLoop = 0;
  llvm::SmallVector<unsigned> runLoops;
  llvm::SmallVector<unsigned> kLoops;
  /// For each loop of the contraction, except lanes and K, on which y depends:
  /// the corresponding loops here.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<unsigned>>> others;
  /// True if y is contiguous along the innermost K loop. Square blocks are then
  /// loaded along K and transposed in registers.
  bool alongK = false;
  /// True if y is contiguous along the lanes.
  bool alongLanes = false;
  /// Strides along the innermost K loop and along the lanes, in elements. 0 if
  /// not constant.
  int64_t stepElements = 0, laneElements = 0;
  /// Size in bytes of the widest element that is loaded.
  int64_t elementBytes = 1;
  NarrowBlocks narrow;

  mlir::AffineExpr size(unsigned loop) const { return space->getSizes()[loop]; }
  /// Plans to read y in the loops of the contraction.
  static ColumnReads inPlace(ContractionPlan &plan);
  /// Plans to read y in separate loops. A loop of the contraction is also a
  /// single loop here if y has one stride along all its dims, and several loops
  /// otherwise. The layout of the panel does not depend on this.
  static ColumnReads forPanel(ContractionPlan &plan);
};

using MemoryRead = llvm::function_ref<void(
    mlir::BlockArgument, const analysis::Index &, mlir::AffineExpr position)>;
/// Calls `onRead` for each input that `v` reads at `index`. Returns false if a
/// read is guarded.
bool walkMemory(ContractionPlan &plan, mlir::Value v,
                const analysis::Index &index,
                const analysis::IterationSpace &space, MemoryRead onRead);
/// Calls `onRead` for each read of y whose position depends on both `laneLoop`
/// and `kLoop`. Returns false if a read is guarded.
bool walkReadsAlong(ContractionPlan &plan,
                    const analysis::IterationSpace &space,
                    const analysis::Index &index, unsigned laneLoop,
                    unsigned kLoop, MemoryRead onRead);

/// Returns y's iteration space, in which the innermost K loop counts blocks of
/// `steps` steps.
analysis::IterationSpace spaceOfBlocks(ContractionPlan &plan,
                                       const ColumnReads &reads, int64_t steps);
/// Returns y's index at step `step` of a block of `steps` steps.
analysis::Index indexInBlock(const ColumnReads &reads,
                             const analysis::IterationSpace &blocks,
                             int64_t steps, int64_t step);

/// True if y is laid out in memory as panels of this many lanes (see
/// HoistPacking.cpp), so that several tiles of rows can read it in place.
bool hasPanelLayout(ContractionPlan &plan, int64_t lanes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNREADS_H
