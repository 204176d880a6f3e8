//===- ContractionHalves.cpp - Columns of y that share bytes --------------===//
//
// sum[0] += x(k) * (lower halves of the bytes at k)
// sum[1] += x(k) * (upper halves)
// sum = sum[0] and sum[1], woven
//
// Where two neighbouring columns share a byte, a vector of bytes is two vectors
// of columns, every other one each: the halves are taken where they lie, and
// the sums are woven once. Otherwise each step would weave.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// The loops of y, the lanes by twos.
analysis::IterationSpace ContractionSkeleton::spaceOfHalves() {
  SmallVector<AffineExpr> sizes(y->space->getSizes());
  AffineExpr &lanes = sizes[y->laneLoop];
  lanes = kernel.names.simplify(lanes.floorDiv(2));
  return {kernel.names, sizes};
}

/// Where y is read at the first or the second of two columns.
Index ContractionSkeleton::indexOfHalf(const analysis::IterationSpace &halves,
                                       int64_t half) {
  SmallVector<AffineExpr> dims = halves.identity();
  AffineExpr &lane = dims[y->laneLoop];
  lane = lane * 2 + half;
  Index index;
  for (AffineExpr e : y->index)
    index.push_back(halves.simplify(e.replaceDims(dims)));
  return index;
}

/// Finds out whether what the sum runs through are bytes that two columns
/// share, and whether the tile has both of them.
bool ContractionSkeleton::sharesBytes() {
  auto lanes = dyn_cast<AffineConstantExpr>(y->size(y->laneLoop));
  if (y->alongSum || !y->runLoops.empty() || tiling.vectors % 2 != 0 ||
      !lanes || lanes.getValue() % (tiling.lanes()) != 0 ||
      !llvm::isPowerOf2_64(tiling.width))
    return false;
  analysis::IterationSpace halves = spaceOfHalves();
  SmallVector<AffineExpr> positions[2];
  bool fits = true;
  for (int64_t half : {0, 1})
    fits &= walkReadsAlong(
        halves, indexOfHalf(halves, half), y->laneLoop, y->sumLoops.back(),
        [&](BlockArgument input, const Index &, AffineExpr position) {
          auto along = analysis::linearIn(position, y->laneLoop, halves);
          fits &=
              along && along->coefficient == constant(1) &&
              kernelType(getElementTypeOrSelf(input.getType())).isInteger(8);
          positions[half].push_back(position);
        });
  return fits && !positions[0].empty() && positions[0] == positions[1];
}

bool ContractionSkeleton::walkReadsAlong(
    const analysis::IterationSpace &space, const Index &index,
    unsigned laneLoop, unsigned sumLoop,
    function_ref<void(BlockArgument, const Index &, AffineExpr)> onRead) {
  bool isGuarded = false;
  analysis::walkReads(
      operandY(), index, space, [&](Value s) { return kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value v, const Index &at) {
        auto input = dyn_cast<BlockArgument>(v);
        if (!input || kernel.isScalar(input))
          return;
        AffineExpr position = space.linearize(at, kernel.dims(v));
        if (position.isFunctionOfDim(laneLoop) &&
            position.isFunctionOfDim(sumLoop))
          onRead(input, at, position);
      },
      [&](const analysis::Guard &) { isGuarded = true; });
  return !isGuarded;
}

FailureOr<SmallVector<Value>> ContractionSkeleton::halvesOf(const Values &dims,
                                                            const Tile &place) {
  Values columns;
  analysis::IterationSpace halves = spaceOfHalves();
  for (unsigned v = 0; v < place.laneAt.size(); v += 2) {
    Values at = dims;
    at[y->laneLoop] = b.createOrFold<arith::DivUIOp>(place.laneAt[v],
                                                     indexConstant(kernel, 2));
    ExpressionEmitter elements(
        kernel, halves, at, ExpressionEmitter::Lanes{y->laneLoop, tiling.width},
        {});
    if (beginsLine(v / 2, place.laneAt.size() / 2))
      askAhead(elements);
    for (int64_t half : {0, 1}) {
      FailureOr<Value> column =
          elements.emitLanes(operandY(), indexOfHalf(halves, half));
      if (failed(column))
        return failure();
      columns.push_back(*column);
    }
  }
  return columns;
}

/// Puts the columns of a tile's sums in order.
void ContractionSkeleton::weave(Values &sums) {
  for (size_t i = 0; i < sums.size(); i += 2) {
    Value even = sums[i], odd = sums[i + 1];
    for (int64_t part : {0, 1}) {
      SmallVector<int64_t> from;
      for (int64_t l = part * tiling.width; l < (part + 1) * tiling.width; ++l)
        from.push_back(l / 2 + l % 2 * tiling.width);
      sums[i + part] = vector::ShuffleOp::create(b, even, odd, from);
    }
  }
}

} // namespace tensorc::codegen::simd
