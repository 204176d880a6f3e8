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

/// Blocks of columns, as a reshape and the transpose that follows it.
struct ColumnBlocks {
  llvm::SmallVector<Dim, 3> dims;
  llvm::SmallVector<int64_t, 3> permutation;
};

/// Number of columns in a block, for vectors with this number of lanes. The
/// first is the width of a tile for several rows. With one or two rows, a tile
/// needs more vectors, as its accumulators would otherwise wait for each other.
constexpr int64_t columnsOfBlock(int64_t lanes) { return 2 * lanes; }
constexpr int64_t columnsOfWideBlock(int64_t lanes) { return 4 * lanes; }

/// Maximum number of rows of x that use wide blocks, and maximum number for
/// which a matrix is packed in advance. With more rows, packing inside the
/// contraction takes a small part of its time.
constexpr int64_t rowsOfWideBlock = 2, maxRowsOfBlock = 64;

/// Returns the blocks of a product's matrix operand. `summed` is its reduction
/// dim; `columns` divides the other one.
ColumnBlocks columnBlocks(Dims matrix, int64_t summed, int64_t columns);

/// Returns the dimension numbers of a product of x with the blocks, with these
/// reduction dims of x.
DotNumbers numbersOfBlocks(Numbers xContracting);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_COLUMNBLOCKS_H
