//===- ExpandDegenerate.cpp - Rewrites ops to forms with skeletons --------===//
//
// A reduction over no dims is its operand (argmax and argmin: zeros), and so is
// a scatter into no elements or of no updates.
//
// A contraction without rows, columns or reduction dims becomes a product and a
// sum, which row and column fusions handle well:
//   %0 = tx.dot_general %m, %v contracting [1] x [0] : (4x8, 8) -> 4
// becomes
//   %b = tx.broadcast %v dims = [1] : 8 -> 4x8
//   %p = tx.mul %m, %b ; %0 = tx.sum %p dims = [1]
// On a grid, a matrix that is contiguous along its free dim has dims = [0].
// (f16 and bf16 products are computed in f32, as in a contraction.)
//
// So does a contraction with a single column per batch, such as a depthwise
// convolution, whose tiles would be mostly zeros. On a CPU so does one with a
// single row and y contiguous along K: dot products read y at memory bandwidth,
// while tiles would first have to transpose it.
//
// A contraction of 8-bit floats becomes one of wider floats
// (packing/F8Products.cpp).
//
// A reduction over one dim that a reshape made of several non-contiguous ones
// becomes a reduction over all of these (SplitSums.cpp).
//
// On a CPU slices and updates of few elements in loops become element-wise
// (LoopUpdates.cpp).
//
// Otherwise x and y are swapped if the result is stored along x's columns. y is
// transposed, if need be, so that its last dim is a free one, or the last
// reduction dim if that is long: the skeleton loads vectors of y along its last
// dim. The skeleton for a grid accepts any order.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/ContractionRule.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/SplitSums.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/memory/LoopUpdates.h"
#include "compiler/transforms/passes/packing/F8Products.h"
#include "compiler/transforms/passes/packing/MergeBlocks.h"
#include "compiler/transforms/passes/packing/TF32Products.h"
#include "ir/tx/Dims.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDDEGENERATEPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

/// The position of each operand dim in the iteration space: result dims, then
/// reduction dims.
struct DotDims {
  SmallVector<int64_t> x, y;
  SmallVector<shape::Dim> sizes;
  int64_t resultRank;
};

DotDims dotDims(tx::DotGeneralOp dot) {
  DotDims dims;
  dims.resultRank = dot.getType().getRank();
  dims.sizes = llvm::to_vector(tx::dimsOf(dot.getType()));
  int64_t nextFree = dot.getXBatch().size();
  auto fill = [&](SmallVector<int64_t> &places, int64_t rank,
                  ArrayRef<int64_t> batch, ArrayRef<int64_t> sum) {
    places.assign(rank, -1);
    for (auto [i, d] : llvm::enumerate(batch))
      places[d] = i;
    for (auto [i, d] : llvm::enumerate(sum))
      places[d] = dims.resultRank + i;
    for (int64_t &place : places)
      if (place < 0)
        place = nextFree++;
  };
  fill(dims.x, dot.getX().getType().getRank(), dot.getXBatch(),
       dot.getXContracting());
  fill(dims.y, dot.getY().getType().getRank(), dot.getYBatch(),
       dot.getYContracting());
  ArrayRef<shape::Dim> x = tx::dimsOf(dot.getX().getType());
  for (int64_t d : dot.getXContracting())
    dims.sizes.push_back(x[d]);
  return dims;
}

template <typename Op> Op onlyReader(Operation *op) {
  return op->hasOneUse() ? dyn_cast<Op>(*op->user_begin()) : Op();
}

/// Permutes the result's dims to the order of its only reader, so that the
/// reader's ops become the epilogue of the sum.
void permuteResult(DotDims &dims, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> to(permutation.size());
  SmallVector<shape::Dim> sizes = dims.sizes;
  for (auto [i, from] : llvm::enumerate(permutation)) {
    to[from] = i;
    dims.sizes[i] = sizes[from];
  }
  for (SmallVector<int64_t> *places : {&dims.x, &dims.y})
    for (int64_t &place : *places)
      if (place < dims.resultRank)
        place = to[place];
}

/// Drops dims of size one if the remaining result dims are `kept`; otherwise
/// returns false.
bool dropUnitDims(DotDims &dims, ArrayRef<shape::Dim> kept) {
  SmallVector<int64_t> to;
  SmallVector<shape::Dim> sizes;
  int64_t rank = 0;
  for (auto [i, size] : llvm::enumerate(dims.sizes)) {
    bool isSummed = static_cast<int64_t>(i) >= dims.resultRank;
    bool stays = isSummed || (rank < static_cast<int64_t>(kept.size()) &&
                              size == kept[rank]);
    if (!stays && size != shape::Dim(1))
      return false;
    to.push_back(stays ? sizes.size() : -1);
    if (stays)
      sizes.push_back(size);
    rank += stays && !isSummed;
  }
  if (rank != static_cast<int64_t>(kept.size()))
    return false;
  for (SmallVector<int64_t> *places : {&dims.x, &dims.y})
    for (int64_t &place : *places)
      place = to[place];
  dims.sizes = sizes;
  dims.resultRank = rank;
  return true;
}

/// Broadcasts the operand so that its dims are at `places` of the whole space.
/// Dims whose place is -1 are dropped.
Value spread(PatternRewriter &b, Location loc, Value operand,
             ArrayRef<int64_t> places, ArrayRef<shape::Dim> sizes,
             Type element) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<shape::Dim> from;
  SmallVector<int64_t> kept, order;
  for (auto [size, place] : llvm::zip(tx::dimsOf(type), places)) {
    if (place < 0)
      continue;
    order.push_back(from.size());
    from.push_back(size);
    kept.push_back(place);
  }
  if (from.size() < places.size())
    operand = tx::ReshapeOp::create(
        b, loc, tx::tensorType(from, type.getElementType()), operand);
  llvm::sort(order, [&](int64_t i, int64_t j) { return kept[i] < kept[j]; });
  SmallVector<shape::Dim> permuted;
  SmallVector<int64_t> dims;
  for (int64_t d : order) {
    permuted.push_back(from[d]);
    dims.push_back(kept[d]);
  }
  operand = b.createOrFold<tx::TransposeOp>(
      loc, tx::tensorType(permuted, type.getElementType()), operand, order);
  if (type.getElementType() != element)
    operand = tx::ConvertOp::create(b, loc, tx::tensorType(permuted, element),
                                    operand);
  return b.createOrFold<tx::BroadcastOp>(loc, tx::tensorType(sizes, element),
                                         operand, dims);
}

bool isFreeDim(int64_t d, ArrayRef<int64_t> batch, ArrayRef<int64_t> summed) {
  return !llvm::is_contained(batch, d) && !llvm::is_contained(summed, d);
}

/// True if each batch of y has one column. The tiles of a contraction would be
/// mostly unused.
bool hasOneColumn(tx::DotGeneralOp dot) {
  RankedTensorType type = dot.getY().getType();
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dot.getYBatch(), d) &&
        !llvm::is_contained(dot.getYContracting(), d) &&
        type.getDimSize(d) != 1)
      return false;
  return llvm::any_of(dot.getYBatch(),
                      [&](int64_t d) { return type.getDimSize(d) != 1; });
}

/// Returns the dtype of at most 8 bits that the value is converted from, or
/// null if there is none. Searches at most `maxOps` producers.
Type narrowTypeOf(Value v) {
  static constexpr size_t maxOps = 32;
  llvm::SetVector<Operation *> ops;
  ops.insert(v.getDefiningOp());
  for (size_t i = 0; i < ops.size() && i < maxOps; ++i) {
    Operation *op = ops[i];
    if (auto convert = dyn_cast_or_null<tx::ConvertOp>(op)) {
      Type from = convert.getX().getType().getElementType();
      if (from.getIntOrFloatBitWidth() < 16)
        return from;
    }
    if (op && (op->hasTrait<tx::Elementwise>() ||
               isa<tx::TransposeOp, tx::BroadcastOp, tx::ReshapeOp>(op)))
      for (Value operand : op->getOperands())
        ops.insert(operand.getDefiningOp());
  }
  return {};
}

/// True for a single row times a matrix that is contiguous along K: each
/// element of the result is a dot product and each element of y is used once.
/// The decision depends only on whether sizes are 1, because kernels for one
/// size must produce the same bits as those for all sizes. 8-bit floats are
/// excluded: the tiles of a contraction convert 64 of them per table lookup,
/// for which a row has too few lanes.
bool isRowOfDotProducts(tx::DotGeneralOp dot) {
  ArrayRef<int64_t> summed = dot.getYContracting();
  RankedTensorType type = dot.getY().getType();
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
             type.getElementType()) &&
         dot.getYBatch().empty() &&
         llvm::equal(summed, llvm::seq(type.getRank() - int64_t(summed.size()),
                                       type.getRank())) &&
         countFree(dot.getX(), dot.getXBatch(), dot.getXContracting()) == 1 &&
         !isa_and_nonnull<FloatType>(narrowTypeOf(dot.getY()));
}

/// Merges the reduction dims from `rank` on into one if the last of them, such
/// as the elements of a quantized group, is not a multiple of the vector
/// length. The result has the same bits either way.
Value mergeUneven(PatternRewriter &b, Location loc, Value v, int64_t rank) {
  constexpr int64_t rowLanes = 32;
  auto type = cast<RankedTensorType>(v.getType());
  ArrayRef<int64_t> summed = type.getShape().drop_front(rank);
  if (summed.size() < 2 || ShapedType::isDynamicShape(summed) ||
      summed.back() % rowLanes == 0)
    return v;
  SmallVector<shape::Dim> dims(tx::dimsOf(type).take_front(rank));
  dims.push_back(llvm::product_of(summed));
  return tx::ReshapeOp::create(b, loc,
                               tx::tensorType(dims, type.getElementType()), v);
}

/// Moves the reduction dims before the last result dim, if that dim is larger
/// than 1 and the operand with dims `matrix` is contiguous along it: reads then
/// coalesce. Returns the position of the first reduction dim.
int64_t sumAlongColumns(DotDims &dims, ArrayRef<int64_t> matrix) {
  int64_t last = dims.resultRank - 1;
  if (matrix.empty() || last < 0 || matrix.back() != last ||
      dims.sizes[last] == shape::Dim(1))
    return dims.resultRank;
  int64_t inner = dims.sizes.size() - 1;
  std::rotate(dims.sizes.begin() + last, dims.sizes.begin() + last + 1,
              dims.sizes.end());
  for (SmallVector<int64_t> *places : {&dims.x, &dims.y})
    for (int64_t &place : *places)
      if (place >= last)
        place = place == last ? inner : place - 1;
  return last;
}

struct DotToSum : OpRewritePattern<tx::DotGeneralOp> {
  DotToSum(MLIRContext *context, bool onGrid)
      : OpRewritePattern(context, /*benefit=*/2), onGrid(onGrid) {}
  bool onGrid;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    int64_t used = dot.getXBatch().size() + dot.getXContracting().size();
    bool rows = dot.getX().getType().getRank() > used;
    bool columns = dot.getY().getType().getRank() > used;
    if (rows && columns && !dot.getXContracting().empty() &&
        !hasOneColumn(dot) && (onGrid || !isRowOfDotProducts(dot)))
      return failure();
    DotDims dims = dotDims(dot);
    Operation *replaced = dot;
    if (auto transpose = onlyReader<tx::TransposeOp>(replaced)) {
      permuteResult(dims, transpose.getPermutation());
      replaced = transpose;
    }
    if (auto reshape = onlyReader<tx::ReshapeOp>(replaced))
      if (dropUnitDims(dims, tx::dimsOf(reshape.getType())))
        replaced = reshape;
    int64_t numSummed = dims.sizes.size() - dims.resultRank;
    int64_t firstSummed = onGrid && rows != columns
                              ? sumAlongColumns(dims, rows ? dims.x : dims.y)
                              : dims.resultRank;
    auto type = cast<RankedTensorType>(replaced->getResult(0).getType());
    Type element = type.getElementType();
    bool widen =
        isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
    Type wide = widen ? b.getF32Type() : element;
    Location loc = dot.getLoc();
    Value x = spread(b, loc, dot.getX(), dims.x, dims.sizes, wide);
    Value y = spread(b, loc, dot.getY(), dims.y, dims.sizes, wide);
    Value result = tx::MulOp::create(b, loc, x, y);
    if (!dot.getXContracting().empty()) {
      if (!onGrid && narrowTypeOf(dot.getY()))
        result = mergeUneven(b, loc, result, dims.resultRank);
      // Merging leaves one dim.
      int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
      int64_t count = std::min(numSummed, rank - dims.resultRank);
      SmallVector<int64_t> summed =
          llvm::to_vector(llvm::seq(firstSummed, firstSummed + count));
      result = tx::SumOp::create(b, loc, tx::withElementType(type, wide),
                                 result, summed);
    }
    if (widen)
      result = tx::ConvertOp::create(b, loc, type, result);
    b.replaceOp(replaced, result);
    return success();
  }
};

struct ReduceNothing : RewritePattern {
  ReduceNothing(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &b) const override {
    if (!op->hasTrait<tx::Reduction>() ||
        !op->getAttrOfType<DenseI64ArrayAttr>("dims").empty())
      return failure();
    Value x = op->getOperand(0);
    Type type = op->getResult(0).getType();
    if (x.getType() == type) {
      b.replaceOp(op, x);
      return success();
    }
    // If the result has another dtype, the op becomes a sum over a dim of size
    // one, which also converts.
    auto from = cast<RankedTensorType>(x.getType());
    SmallVector<shape::Dim> dims(tx::dimsOf(from));
    dims.push_back(1);
    Value column = tx::ReshapeOp::create(
        b, op->getLoc(), tx::tensorType(dims, from.getElementType()), x);
    b.modifyOpInPlace(op, [&] {
      op->setOperand(0, column);
      op->setAttr("dims", b.getDenseI64ArrayAttr(from.getRank()));
    });
    return success();
  }
};

struct ScatterNothing : OpRewritePattern<tx::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::ScatterOp scatter,
                                PatternRewriter &b) const override {
    if (!llvm::is_contained(scatter.getType().getShape(), 0) &&
        !llvm::is_contained(scatter.getUpdates().getType().getShape(), 0))
      return failure();
    b.replaceOp(scatter, scatter.getX());
    return success();
  }
};

/// Minimum K and minimum number of columns for transposing blocks of y in
/// registers. Below these limits the blocks would be mostly empty.
constexpr int64_t minBlockSteps = 16, minBlockColumns = 8;

/// Maximum number of rows of x for which y may be read in place, in the loops
/// over the rows of x, instead of from a packed panel.
constexpr int64_t maxRowsInPlace = 32;

/// True if y is packed into a panel. In that case reduction dims that are
/// contiguous in memory count as a single one.
bool hasPanel(tx::DotGeneralOp dot) {
  Operation *maker = dot.getY().getDefiningOp();
  if (maker && !isa<tx::ConstantOp>(maker))
    return false;
  auto rows = countFree(dot.getX(), dot.getXBatch(), dot.getXContracting());
  return !rows || *rows > maxRowsInPlace;
}

/// Returns the number of K steps that are contiguous in y.
int64_t countSteps(tx::DotGeneralOp dot) {
  RankedTensorType type = dot.getY().getType();
  int64_t steps = 1, last = type.getRank();
  for (int64_t d : llvm::reverse(dot.getYContracting())) {
    if (d != --last)
      break;
    if (type.isDynamicDim(d))
      return minBlockSteps;
    steps *= type.getDimSize(d);
    if (!hasPanel(dot))
      break;
  }
  return steps;
}

bool isReadAlongSum(tx::DotGeneralOp dot) {
  RankedTensorType type = dot.getY().getType();
  int64_t last = type.getRank() - 1, columns = 1;
  if (dot.getYContracting().empty() || dot.getYContracting().back() != last ||
      countSteps(dot) < minBlockSteps)
    return false;
  for (int64_t d = 0; d < last; ++d) {
    if (llvm::is_contained(dot.getYBatch(), d) ||
        llvm::is_contained(dot.getYContracting(), d))
      continue;
    if (type.isDynamicDim(d))
      return true;
    columns *= type.getDimSize(d);
  }
  return columns >= minBlockColumns;
}

/// Returns the innermost dim of the operand in memory, or nullopt if there is
/// none. Its stride must be one element unless `strided` is true. Windows have
/// the layout of their image.
std::optional<int64_t> dimAlongMemory(Value operand, bool strided = false) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t rank = type.getRank();
  auto windows = operand.getDefiningOp<tx::WindowsOp>();
  if (windows)
    rank = windows.getX().getType().getRank();
  while (rank > 0 && type.getDimSize(rank - 1) == 1)
    --rank;
  if (rank == 0)
    return std::nullopt;
  if (windows && !strided)
    for (auto [dim, stride] :
         llvm::zip_equal(windows.getDims(), windows.getStrides()))
      if (dim == rank - 1 && stride != 1)
        return std::nullopt;
  return rank - 1;
}

/// For a convolution as a matrix product: minimum number of pixels for
/// transposing a panel of kernels, and minimum number of kernels for gathering
/// a panel of strided pixels instead.
constexpr int64_t minPixelsForTranspose = 128, minKernelsForGather = 128;

bool paysForGather(tx::DotGeneralOp dot) {
  auto pixels = countFree(dot.getX(), dot.getXBatch(), dot.getXContracting());
  auto kernels = countFree(dot.getY(), dot.getYBatch(), dot.getYContracting());
  return pixels && kernels && *pixels < minPixelsForTranspose &&
         *kernels >= minKernelsForGather;
}

/// Swaps x and y if the result is stored along x's columns and x is contiguous
/// along them. The lanes then run along x's columns in both, and no elements
/// are moved. One such case is a convolution of an image with channels first.
struct SwapOperands : OpRewritePattern<tx::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::TransposeOp transpose,
                                PatternRewriter &b) const override {
    auto dot = transpose.getX().getDefiningOp<tx::DotGeneralOp>();
    if (!dot || !dot->hasOneUse() || hasOneColumn(dot) || isOfColumnBlocks(dot))
      return failure();
    std::optional<int64_t> along =
        dimAlongMemory(dot.getX(), paysForGather(dot));
    if (!along || !isFreeDim(*along, dot.getXBatch(), dot.getXContracting()))
      return failure();
    int64_t batch = dot.getXBatch().size(), sums = dot.getXContracting().size();
    int64_t xFree = dot.getX().getType().getRank() - batch - sums;
    int64_t yFree = dot.getY().getType().getRank() - batch - sums;
    if (xFree == 0 || yFree == 0)
      return failure();
    // Requires that the innermost dim of the transposed result, not counting
    // dims of size 1, is x's dim `along`.
    ArrayRef<int64_t> order = transpose.getPermutation();
    RankedTensorType type = dot.getType();
    int64_t last = order.size() - 1;
    while (last > 0 && type.getDimSize(order[last]) == 1)
      --last;
    int64_t place = batch;
    for (int64_t d = 0; d < *along; ++d)
      place += isFreeDim(d, dot.getXBatch(), dot.getXContracting());
    if (order[last] != place)
      return failure();
    // Maps a result dim to its position after the swap: batch, y's free dims,
    // x's free dims.
    auto moved = [&](int64_t d) {
      return d < batch ? d : d < batch + xFree ? d + yFree : d - xFree;
    };
    ArrayRef<shape::Dim> from = tx::dimsOf(type);
    SmallVector<shape::Dim> to(from);
    for (auto [d, size] : llvm::enumerate(from))
      to[moved(d)] = size;
    SmallVector<int64_t> newOrder;
    for (int64_t d : order)
      newOrder.push_back(moved(d));
    Value product = tx::DotGeneralOp::create(
        b, dot.getLoc(), tx::tensorType(to, type.getElementType()), dot.getY(),
        dot.getX(), dot.getYBatch(), dot.getXBatch(), dot.getYContracting(),
        dot.getXContracting());
    b.replaceOp(transpose, b.createOrFold<tx::TransposeOp>(transpose.getLoc(),
                                                           transpose.getType(),
                                                           product, newOrder));
    return success();
  }
};

/// Rewrites a vector times a row-major matrix as a contraction with one row. A
/// sum per column would read the matrix with a stride.
struct VectorToRow : OpRewritePattern<tx::DotGeneralOp> {
  explicit VectorToRow(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    Value x = dot.getX(), y = dot.getY();
    ArrayRef<int64_t> xBatch = dot.getXBatch(), yBatch = dot.getYBatch();
    ArrayRef<int64_t> xSum = dot.getXContracting();
    ArrayRef<int64_t> ySum = dot.getYContracting();
    if (cast<RankedTensorType>(y.getType()).getRank() ==
        static_cast<int64_t>(yBatch.size() + ySum.size())) {
      std::swap(x, y);
      std::swap(xBatch, yBatch);
      std::swap(xSum, ySum);
    }
    auto from = cast<RankedTensorType>(x.getType());
    std::optional<int64_t> along = dimAlongMemory(y);
    std::optional<int64_t> columns = countFree(y, yBatch, ySum);
    if (xSum.empty() ||
        from.getRank() != static_cast<int64_t>(xBatch.size() + xSum.size()) ||
        !along || !isFreeDim(*along, yBatch, ySum) ||
        (columns && *columns < minBlockSteps))
      return failure();
    SmallVector<shape::Dim> dims(tx::dimsOf(from));
    dims.insert(dims.begin(), 1);
    Value row = b.createOrFold<tx::ReshapeOp>(
        dot.getLoc(), tx::tensorType(dims, from.getElementType()), x);
    auto later = [](ArrayRef<int64_t> places) {
      return llvm::map_to_vector(places, [](int64_t d) { return d + 1; });
    };
    RankedTensorType type = dot.getType();
    dims = llvm::to_vector(tx::dimsOf(type));
    dims.insert(dims.begin() + xBatch.size(), 1);
    Value product = tx::DotGeneralOp::create(
        b, dot.getLoc(), tx::tensorType(dims, type.getElementType()), row, y,
        later(xBatch), yBatch, later(xSum), ySum);
    b.replaceOpWithNewOp<tx::ReshapeOp>(dot, type, product);
    return success();
  }
};

struct TransposeY : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    auto type = dot.getY().getType();
    int64_t rank = type.getRank();
    // The order of dims in which the skeleton reads y: batch, reduction, free.
    SmallVector<int64_t> order = llvm::to_vector(dot.getYBatch());
    llvm::append_range(order, dot.getYContracting());
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(order, d))
        order.push_back(d);
    if (order.empty() || order.back() == rank - 1 || isReadAlongSum(dot))
      return failure();
    if (auto along = dimAlongMemory(dot.getY());
        along && isFreeDim(*along, dot.getYBatch(), dot.getYContracting()))
      return failure();
    ArrayRef<shape::Dim> from = tx::dimsOf(type);
    SmallVector<shape::Dim> to;
    for (int64_t d : order)
      to.push_back(from[d]);
    Value y = tx::TransposeOp::create(b, dot.getLoc(),
                                      tx::tensorType(to, type.getElementType()),
                                      dot.getY(), order);
    SmallVector<int64_t> batch, sum;
    for (size_t i = 0; i < dot.getYBatch().size(); ++i)
      batch.push_back(i);
    for (size_t i = 0; i < dot.getYContracting().size(); ++i)
      sum.push_back(batch.size() + i);
    b.modifyOpInPlace(dot, [&] {
      dot.getYMutable().assign(y);
      dot.setYBatch(batch);
      dot.setYContracting(sum);
    });
    return success();
  }
};

struct ExpandDegenerate : impl::ExpandDegeneratePassBase<ExpandDegenerate> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto target = targetOf(getOperation());
    bool onGrid = target && target->isSimt();
    addF8ProductPatterns(patterns, target);
    addTF32ProductPatterns(patterns, target);
    patterns.add<DotToSum>(&getContext(), onGrid);
    patterns.add<ReduceNothing, ScatterNothing>(&getContext());
    if (!onGrid) {
      patterns.add<VectorToRow, SwapOperands, TransposeY>(&getContext());
      addLoopUpdatesPatterns(patterns);
    }
    addSplitSumsPatterns(patterns, onGrid);
    addMergeBlocksPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
