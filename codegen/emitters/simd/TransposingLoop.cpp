//===- TransposingLoop.cpp - Loops that transpose in registers ------------===//
//
// For fusions whose input is contiguous along one loop and whose outputs are
// contiguous along another, as in a transpose:
//
// for each block of output rows:              (work items)
//   for each vector of lanes, or each two:
//     for each square of rows and lanes:
//       for each of these vectors:
//         load the input along the rows and transpose the square in registers
//         for each of the rows: compute and store all outputs
//
// A work item has as many rows as a cache line of the input has elements, so
// that few output lines are written at a time. With streaming stores a work
// item has more rows, so that it reads several lines of each page of the input.
// It also writes two adjacent vectors of a row, because memory writes two lines
// faster than one. The code of the two vectors is unrolled, because the
// hardware prefetcher tracks streams by instruction address.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;
using Values = SmallVector<Value>;

/// Maximum number of transposed inputs. The square of each input takes as many
/// registers as it has rows.
static constexpr size_t maxInputs = 2;
/// Maximum number of lanes for which two vectors per row are offered. It bounds
/// the code size.
static constexpr int64_t maxLanesOfTwo = 16;
/// Maximum number of ops that are unrolled over the rows. With more ops, the
/// rows are computed in a loop.
static constexpr unsigned shortOps = 3;

namespace {
class TransposingLoop {
public:
  explicit TransposingLoop(KernelBuilder &kernel)
      : kernel(kernel), b(kernel.b) {}

  /// True if the fusion fits this skeleton. Reports no diagnostic if it does
  /// not.
  bool plan();
  Offers offer();
  FailureOr<KernelSpec> emit();

private:
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  CollapsedDims loops;
  std::optional<analysis::IterationSpace> space;
  unsigned rowLoop = 0, laneLoop = 0;
  int64_t width = 0;
  /// The inputs that are contiguous along the rows, and their indices.
  SmallVector<std::pair<Value, Index>> acrossRows;
  /// Stack buffers for a square of each input of `acrossRows`, if rows are
  /// computed in a loop.
  Values buffers;

  AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  bool isMultiple(unsigned loop, int64_t of) {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
    return size && size.getValue() % of == 0;
  }
  bool hasUnitStep(AffineExpr position, unsigned loop) {
    auto linear = analysis::linearIn(position, loop, *space);
    return linear && linear->coefficient == constant(1);
  }
  bool findReads();
  int64_t squaresPerLine();
  int64_t blockOf(unsigned loop);
  LogicalResult square(Values dims, Value row, Value lane);
  LogicalResult rowsOfItem(const Values &dims, Value first, Value end);
  LogicalResult storeRow(const Values &dims, ValueRange vectors, Value mask,
                         Value streaming);
  bool isLong();
  LogicalResult rowsFromMemory(Values dims, Value row, ArrayRef<Values> squares,
                               Value mask, Value streaming);
  FailureOr<Values> readSquare(Value v, const Index &index, Values dims,
                               Value lane, Value mask);
};
} // namespace

/// Finds the inputs that are not contiguous along the lanes. Returns false
/// unless all of these are contiguous along the same other loop.
bool TransposingLoop::findReads() {
  bool guarded = false;
  std::optional<unsigned> rows;
  auto onRead = [&](Value v, const Index &index) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || kernel.isScalar(argument))
      return;
    AffineExpr position = space->linearize(index, kernel.dims(v));
    if (!position.isFunctionOfDim(laneLoop) || hasUnitStep(position, laneLoop))
      return;
    for (unsigned loop = 0; loop < laneLoop; ++loop)
      if (hasUnitStep(position, loop) && rows.value_or(loop) == loop) {
        rows = loop;
        if (!llvm::is_contained(acrossRows, std::pair(v, index)))
          acrossRows.push_back({v, index});
      }
  };
  for (Value root : kernel.yield().getValues())
    analysis::walkReads(
        root, loops.index, *space, [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; }, onRead,
        [&](const analysis::Guard &) { guarded = true; });
  rowLoop = rows.value_or(0);
  return rows && !guarded && acrossRows.size() <= maxInputs;
}

bool TransposingLoop::plan() {
  width = registerLanes(kernel);
  auto isNarrow = [](Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 8;
  };
  if (width < 4 || !llvm::isPowerOf2_64(width) ||
      llvm::any_of(kernel.yield().getOperandTypes(), isNarrow))
    return false;
  Type first = kernel.yield().getValues().front().getType();
  for (Value root : kernel.yield().getValues())
    if (!tx::sameShape(root.getType(), first))
      return false;
  FailureOr<CollapsedDims> collapsed = collapseOutputs(kernel);
  if (failed(collapsed) || collapsed->sizes.size() < 2)
    return false;
  loops = *collapsed;
  space.emplace(kernel.names, loops.sizes);
  laneLoop = loops.sizes.size() - 1;
  if (!findReads())
    return false;
  for (auto &[v, index] : acrossRows)
    if (isNarrow(v.getType()))
      return false;
  // Squares that are mostly masked gain nothing.
  return llvm::all_of(ArrayRef{rowLoop, laneLoop}, [&](unsigned loop) {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
    return !size || size.getValue() >= width / 2;
  });
}

/// Loads a square of the input and transposes it. Returns a vector of lanes for
/// each row.
FailureOr<Values> TransposingLoop::readSquare(Value v, const Index &index,
                                              Values dims, Value lane,
                                              Value mask) {
  // Lanes past the end repeat the last lane, and are not stored.
  Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[laneLoop]),
                                             indexConstant(kernel, 1));
  Values square;
  for (int64_t l = 0; l < width; ++l) {
    dims[laneLoop] =
        b.createOrFold<arith::AddIOp>(lane, indexConstant(kernel, l));
    if (!isMultiple(laneLoop, width))
      dims[laneLoop] = b.createOrFold<arith::MinUIOp>(dims[laneLoop], last);
    ExpressionEmitter elements(kernel, *space, dims,
                               ExpressionEmitter::Lanes{rowLoop, width}, mask);
    FailureOr<Value> rows = elements.emitLanes(v, index);
    if (failed(rows))
      return failure();
    square.push_back(*rows);
  }
  return transposed(b, std::move(square));
}

LogicalResult TransposingLoop::square(Values dims, Value row, Value lane) {
  Value rowCount = kernel.size(loops.sizes[rowLoop]);
  Value laneCount = kernel.size(loops.sizes[laneLoop]);
  Value rowMask, lanesOn;
  if (!isMultiple(rowLoop, width))
    rowMask = laneMask(kernel, row, rowCount, width);
  if (!isMultiple(laneLoop, width))
    lanesOn = laneMask(kernel, lane, laneCount, width);
  dims[rowLoop] = row;
  SmallVector<Values> squares;
  for (auto &[v, index] : acrossRows) {
    FailureOr<Values> square = readSquare(v, index, dims, lane, rowMask);
    if (failed(square))
      return failure();
    squares.push_back(*square);
  }
  // Streaming stores are used only for whole lines. A tensor of symbolic size
  // is assumed to fit in the caches.
  AffineExpr count = kernel.names.product(loops.sizes);
  Value streaming;
  if (isMultiple(laneLoop, width) && isMultiple(rowLoop, width) &&
      isa<AffineConstantExpr>(count))
    streaming = streamingStores(kernel, count, loops.sizes[laneLoop], lane,
                                laneCount, width);
  dims[laneLoop] = lane;
  if (isLong())
    return rowsFromMemory(dims, row, squares, lanesOn, streaming);
  for (int64_t k = 0; k < width; ++k) {
    dims[rowLoop] =
        b.createOrFold<arith::AddIOp>(row, indexConstant(kernel, k));
    Value mask = lanesOn;
    if (rowMask) {
      Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                            dims[rowLoop], rowCount);
      // Loads of scalars are not masked, so the row index must be valid.
      Value last =
          b.createOrFold<arith::SubIOp>(rowCount, indexConstant(kernel, 1));
      dims[rowLoop] = b.createOrFold<arith::MinUIOp>(dims[rowLoop], last);
      Value all = vector::BroadcastOp::create(
          b, VectorType::get({width}, b.getI1Type()), isThere);
      mask = mask ? Value(arith::AndIOp::create(b, all, mask)) : all;
    }
    Values vectors;
    for (const Values &square : squares)
      vectors.push_back(square[k]);
    if (failed(storeRow(dims, vectors, mask, streaming)))
      return failure();
  }
  return success();
}

/// Computes and stores all outputs for a vector of lanes of one row.
LogicalResult TransposingLoop::storeRow(const Values &dims, ValueRange vectors,
                                        Value mask, Value streaming) {
  ExpressionEmitter elements(kernel, *space, dims,
                             ExpressionEmitter::Lanes{laneLoop, width}, mask);
  for (auto [read, vector] : llvm::zip(acrossRows, vectors))
    elements.bindElement(read.first, read.second, vector);
  return elements.storeOutputs(loops.index, streaming);
}

/// True if the ops are so many that unrolling them over the rows of a square
/// would take too long to compile.
bool TransposingLoop::isLong() {
  unsigned computed = 0;
  for (Operation &op : kernel.body().without_terminator())
    computed += op.hasTrait<tx::Costly>()        ? shortOps + 1
                : op.hasTrait<tx::Elementwise>() ? 1
                                                 : 0;
  return computed > shortOps;
}

/// Emits the rows as a loop, which loads them from squares that are stored in
/// `buffers`.
LogicalResult TransposingLoop::rowsFromMemory(Values dims, Value row,
                                              ArrayRef<Values> squares,
                                              Value mask, Value streaming) {
  for (auto [square, buffer] : llvm::zip(squares, buffers))
    for (auto [k, vector] : llvm::enumerate(square))
      vector::StoreOp::create(b, vector, buffer,
                              indexConstant(kernel, k * width));
  Value left =
      b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[rowLoop]), row);
  Value end =
      isMultiple(rowLoop, width)
          ? indexConstant(kernel, width)
          : b.createOrFold<arith::MinUIOp>(left, indexConstant(kernel, width));
  auto stored = forRange(
      kernel, indexConstant(kernel, 0), end, 1, {},
      [&](Value k, ValueRange) -> FailureOr<Values> {
        dims[rowLoop] = b.createOrFold<arith::AddIOp>(row, k);
        Value position =
            b.createOrFold<arith::MulIOp>(k, indexConstant(kernel, width));
        Values vectors;
        for (auto [square, buffer] : llvm::zip(squares, buffers))
          vectors.push_back(vector::LoadOp::create(
              b, cast<VectorType>(square.front().getType()), buffer, position));
        if (failed(storeRow(dims, vectors, mask, streaming)))
          return failure();
        return Values();
      });
  return success(succeeded(stored));
}

/// Emits the rows [first, end) with all their lanes.
LogicalResult TransposingLoop::rowsOfItem(const Values &dims, Value first,
                                          Value end) {
  int64_t vectors = kernel.scheduled("vectors");
  auto ofBlock = [&](Value lane, ValueRange) {
    return forRange(
        kernel, first, end, width, {},
        [&](Value row, ValueRange) -> FailureOr<Values> {
          for (int64_t v = 0; v < vectors; ++v)
            if (failed(square(dims, row,
                              b.createOrFold<arith::AddIOp>(
                                  lane, indexConstant(kernel, v * width)))))
              return failure();
          return Values();
        });
  };
  return success(succeeded(forRange(kernel, indexConstant(kernel, 0),
                                    kernel.size(loops.sizes[laneLoop]),
                                    vectors * width, {}, ofBlock)));
}

/// Returns the number of squares whose rows together fill a cache line of the
/// input.
int64_t TransposingLoop::squaresPerLine() {
  int64_t bits = 8;
  for (auto &[v, index] : acrossRows)
    bits = std::max<int64_t>(
        bits, getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth());
  return llvm::divideCeil(kernel.target.getCacheLineBytes() * 8, width * bits);
}

/// Returns the block size of `loop`, an outer loop that is inside the rows in
/// the outputs. A few rows are stored for the whole block, contiguously, before
/// the next rows are. Meanwhile the neighbouring elements of the input's cache
/// lines stay in L2.
int64_t TransposingLoop::blockOf(unsigned loop) {
  auto size = constantOf(loops.sizes[loop]);
  auto square = constantOf(
      kernel.names.product({loops.sizes[rowLoop], loops.sizes[laneLoop]}));
  if (loop < rowLoop || !size || !square || *square == 0)
    return 1;
  int64_t bytes = 0;
  for (auto &[v, index] : acrossRows)
    bytes += llvm::divideCeil(
        getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth(), 8);
  int64_t block = kernel.target.getL2Bytes() /
                  kernel.costs().transposedBlocksPerL2 / (*square * bytes);
  block = std::clamp<int64_t>(block, 1, std::max<int64_t>(*size, 1));
  while (*size % block != 0)
    --block;
  return block;
}

Offers TransposingLoop::offer() {
  const CpuCosts &costs = kernel.costs();
  int64_t ofLine = squaresPerLine();
  Offers offers{{{"squares", ofLine}, {"vectors", 1}}};
  if (ofLine != costs.transposedSquares)
    offers.push_back({{"squares", costs.transposedSquares}, {"vectors", 1}});
  if (width <= maxLanesOfTwo &&
      isMultiple(laneLoop, costs.streamedSquareVectors * width))
    offers.push_back({{"squares", costs.streamedSquares},
                      {"vectors", costs.streamedSquareVectors}});
  if (isMultiple(rowLoop, width) &&
      exceedCaches(kernel, kernel.names.product(loops.sizes)))
    std::swap(offers.front(), offers.back());
  if (ofLine != 1)
    offers.push_back({{"squares", 1}, {"vectors", 1}});
  return offers;
}

FailureOr<KernelSpec> TransposingLoop::emit() {
  int64_t itemRows = kernel.scheduled("squares") * width;
  if (isLong())
    for (auto &[v, index] : acrossRows)
      buffers.push_back(memref::AllocaOp::create(
          b,
          MemRefType::get({width * width},
                          kernelType(getElementTypeOrSelf(v.getType()))),
          b.getI64IntegerAttr(64)));
  SmallVector<AffineExpr> work;
  SmallVector<unsigned> outer;
  for (unsigned loop = 0; loop < laneLoop; ++loop)
    if (loop != rowLoop) {
      outer.push_back(loop);
      work.push_back(loops.sizes[loop]);
    }
  int64_t block = outer.empty() ? 1 : blockOf(outer.back());
  if (block > 1)
    work.back() = kernel.names.simplify(work.back().floorDiv(block));
  work.push_back(kernel.names.simplify(loops.sizes[rowLoop].ceilDiv(itemRows)));
  work.push_back(constant(block));
  Value rowCount = kernel.size(loops.sizes[rowLoop]);
  auto item = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work), dims(loops.sizes.size());
    Value rows = indexConstant(kernel, itemRows), step = at.pop_back_val();
    Value first = b.createOrFold<arith::MulIOp>(at.pop_back_val(), rows);
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(first, rows), rowCount);
    for (auto [loop, value] : llvm::zip(outer, at))
      dims[loop] = value;
    if (block > 1)
      dims[outer.back()] = b.createOrFold<arith::AddIOp>(
          b.createOrFold<arith::MulIOp>(at.back(),
                                        indexConstant(kernel, block)),
          step);
    if (failed(rowsOfItem(dims, first, end)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, item)))
    return failure();
  return kernel.finish(
      kernel.names.product(work),
      constant(kernel.costs().taskElements)
          .ceilDiv(kernel.names.simplify(loops.sizes[laneLoop] * itemRows) +
                   1));
}

const Skeleton transposingLoop = {
    "squares", tx::kinds::loop,
    [](KernelBuilder &fusion, tx::OrderAttr) {
      return TransposingLoop(fusion).plan();
    },
    [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      TransposingLoop loop(fusion);
      if (!loop.plan())
        return failure();
      return loop.offer();
    },
    [](KernelBuilder &kernel) {
      TransposingLoop loop(kernel);
      bool planned = loop.plan();
      (void)planned;
      assert(planned && "was offered");
      return single(loop.emit());
    }};

} // namespace tensorc::codegen::simd
