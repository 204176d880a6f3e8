//===- ColumnBlocks.h - How weights are packed ------------------*- C++ -*-===//
//
// A kernel of a contraction multiplies by a few columns of y at a time, a step
// of the sum after the other. A matrix that lies so already is read in place:
//   reshape   128x512 -> 128x16x32   steps and columns, which are in blocks
//   transpose 128x16x32 -> 16x128x32 block, step, column
// Passes and functions that pack before a kernel runs take the layout from
// here.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_SHAPE_COLUMNBLOCKS_H
#define TENSORC_IR_SHAPE_COLUMNBLOCKS_H

#include "ir/shape/Dim.h"
#include "ir/shape/Rules.h"

namespace tensorc::shape {

/// A reshape, and the transpose that follows it.
struct ColumnBlocks {
  llvm::SmallVector<Dim, 3> dims;
  llvm::SmallVector<int64_t, 3> permutation;
};

/// How many columns a block has on a machine of vectors of so many lanes: a
/// tile's of a kernel for several rows; or for one or two, whose sums would
/// wait for each other in a tile of fewer vectors.
constexpr int64_t columnsOfBlock(int64_t lanes) { return 2 * lanes; }
constexpr int64_t columnsOfWideBlock(int64_t lanes) { return 4 * lanes; }

/// The rows of x that count as one or two, and those that a matrix is packed
/// for: with more, a contraction packs it in a small part of its time.
constexpr int64_t rowsOfWideBlock = 2, mostRowsOfBlock = 64;

/// Of a matrix along one of whose dims a product sums; `columns` divides the
/// other one.
ColumnBlocks columnBlocks(Dims matrix, int64_t summed, int64_t columns);

/// What a product of x, which sums along these dims, says of the blocks.
DotNumbers numbersOfBlocks(Numbers xContracting);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_COLUMNBLOCKS_H
