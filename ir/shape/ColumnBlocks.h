//===- ColumnBlocks.h - The packed layout of weights ------------*- C++ -*-===//
//
// The kernel of a contraction multiplies x by a few columns of y at a time, one
// step of the reduction after another. A matrix whose elements are stored in
// this order is read in place:
//   reshape   128x512 -> 128x16x32   steps and columns, which are in blocks
//   transpose 128x16x32 -> 16x128x32 block, step, column
// All passes and functions that pack a matrix before a kernel runs use this
// layout.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_SHAPE_COLUMNBLOCKS_H
#define TENSORC_IR_SHAPE_COLUMNBLOCKS_H

#include "ir/shape/Dim.h"
#include "ir/shape/Rules.h"

namespace tensorc::shape {

/// The division of a matrix into blocks of columns, as a reshape and a
/// transpose that follows it.
struct ColumnBlocks {
  llvm::SmallVector<Dim, 4> dims;
  llvm::SmallVector<int64_t, 4> permutation;
};

/// Number of columns in a block, for vectors with this number of lanes.
/// columnsOfBlock is the width of a tile for several rows. For one or two rows
/// a tile must be wider, because otherwise its few accumulators would have to
/// wait for one another.
constexpr int64_t columnsOfBlock(int64_t lanes) { return 2 * lanes; }
constexpr int64_t columnsOfWideBlock(int64_t lanes) { return 4 * lanes; }

/// Maximum number of rows of x for which wide blocks are used, and maximum
/// number of rows for which a matrix is packed in advance. With more rows,
/// packing inside the contraction takes only a small part of its time.
constexpr int64_t rowsOfWideBlock = 2, maxRowsOfBlock = 64;

/// Returns the division into blocks for the matrix operand of a product.
/// `summed` is its reduction dim; `columns`, the number of columns in a block,
/// divides the other dim.
ColumnBlocks columnBlocks(Dims matrix, int64_t summed, int64_t columns);

/// Returns the dimension numbers of a product of x with the blocks, where x has
/// these reduction dims.
DotNumbers numbersOfBlocks(Numbers xContracting);

/// Number of columns in a block of words, as a tile register of a CPU has.
constexpr int64_t columnsOfWords = 16;

/// Returns the division of a matrix of narrow elements into blocks, whose columns
/// consist of 32-bit words. A word has the elements of `steps` consecutive
/// reduction steps, as instructions on tile registers read them:
///   reshape   768x512 -> 384x2x32x16   groups of steps, blocks of columns
///   transpose 384x2x32x16 -> 32x384x16x2
/// `steps` and columnsOfWords must divide the dims.
ColumnBlocks columnWords(Dims matrix, int64_t summed, int64_t steps);

/// Returns the dimension numbers of a product of x with the words. The
/// reduction dim of x is divided into these two: groups, and their steps.
DotNumbers numbersOfWords(Numbers xContracting);

/// True if a second factor with these sizes, batch and reduction dims has the
/// layout of columnWords.
bool areColumnWords(llvm::ArrayRef<int64_t> sizes, Numbers batch,
                    Numbers summed);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_COLUMNBLOCKS_H
