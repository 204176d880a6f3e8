//===- LoopUpdates.cpp - Element-wise slices and updates in loops ---------===//
//
//   %1 = tx.scatter "set" %x, %i, %u ... : (tensor<7x2xf32>, tensor<1xi32>, tensor<2xf32>)
// becomes
//   %row = tx.iota dim = 0 : tensor<7x2xi64>
//   %p = tx.eq %row, %i
//   %1 = tx.select %p, %u, %x
//
// A loop whose values have few elements keeps them in registers, in which no
// element has an address (codegen/emitters/registers).
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/LoopUpdates.h"

#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::compiler {

using builder::TensorBuilder;
using shape::Dim;
using tx::DType;

/// Maximum number of elements of a value whose updates become element-wise.
/// Larger values do not fit into registers.
static constexpr int64_t maxUpdatedElements = 64;
/// Maximum number of slices from which one is read. Each of them becomes a
/// select.
static constexpr int64_t maxReadSlices = 8;

static bool isInLoop(Operation *op) {
  return isa<tx::ScanOp, tx::WhileOp>(op->getParentOp());
}

static bool isSmall(RankedTensorType type) {
  return type.hasStaticShape() && type.getNumElements() > 0 &&
         type.getNumElements() <= maxUpdatedElements;
}

/// Returns a tensor of x's shape that is true for the elements whose position
/// along each of these dims equals the index.
static Value isAt(TensorBuilder &b, Value x, ArrayRef<int64_t> dims,
                  ArrayRef<Value> indices) {
  ArrayRef<Dim> shape = builder::dimsOf(x);
  Value all;
  for (auto [dim, index] : llvm::zip_equal(dims, indices)) {
    Value is =
        b.equal(b.iota(DType::I64, shape, dim), b.convert(index, DType::I64));
    all = all ? b.logicalAnd(all, is) : is;
  }
  return all;
}

/// Returns the update as a tensor that broadcasts to x. It has one element
/// along these dims and x's size along the others.
static Value spreadUpdate(TensorBuilder &b, Value update, Value x,
                          ArrayRef<int64_t> dims) {
  SmallVector<Dim> sizes(builder::dimsOf(x));
  for (int64_t dim : dims)
    sizes[dim] = 1;
  return b.broadcast(b.reshape(update, sizes), builder::dimsOf(x));
}

namespace {
/// A scatter with one index vector. Its window has one element along each
/// indexed dim and the full size along the others.
struct ScatterToSelect : OpRewritePattern<tx::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    auto updates = cast<RankedTensorType>(op.getUpdates().getType());
    auto indices = cast<RankedTensorType>(op.getIndices().getType());
    ArrayRef<int64_t> dims = op.getScatterDimsToOperandDims();
    if (!isInLoop(op) || op.getKind() != tx::UpdateKind::Set ||
        !isSmall(type) || !updates.hasStaticShape() || dims.empty() ||
        indices.getNumElements() != static_cast<int64_t>(dims.size()))
      return failure();
    SmallVector<int64_t> windowDims = op.getWindowDimOfX();
    for (int64_t d = 0; d < type.getRank(); ++d) {
      int64_t size = windowDims[d] < 0 ? 1 : updates.getDimSize(windowDims[d]);
      if (size != (llvm::is_contained(dims, d) ? 1 : type.getDimSize(d)))
        return failure();
    }
    TensorBuilder b(rewriter, op);
    Value list = b.reshape(op.getIndices(), Dim(dims.size()));
    SmallVector<Value> starts;
    for (size_t k = 0; k < dims.size(); ++k)
      starts.push_back(b.reshape(b.sliceAlong(list, 0, k, 1), {}));
    rewriter.replaceOp(
        op,
        b.select(isAt(b, op.getX(), dims, starts),
                 spreadUpdate(b, op.getUpdates(), op.getX(), dims), op.getX()));
    return success();
  }
};

/// Returns the clamped start of a slice of one element.
static Value clampedStart(TensorBuilder &b, Value start, int64_t size) {
  Value index = b.convert(start, DType::I64);
  return b.max(b.min(index, size - 1), 0);
}

/// An update that has size one along each dim that it does not cover.
struct UpdateToSelect : OpRewritePattern<tx::DynamicUpdateSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DynamicUpdateSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    auto update = cast<RankedTensorType>(op.getUpdate().getType());
    if (!isInLoop(op) || !isSmall(type) || !update.hasStaticShape())
      return failure();
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (update.getDimSize(d) != type.getDimSize(d)) {
        if (update.getDimSize(d) != 1)
          return failure();
        dims.push_back(d);
      }
    if (dims.empty())
      return failure();
    TensorBuilder b(rewriter, op);
    SmallVector<Value> starts;
    for (int64_t d : dims)
      starts.push_back(clampedStart(b, op.getStarts()[d], type.getDimSize(d)));
    rewriter.replaceOp(
        op,
        b.select(isAt(b, op.getX(), dims, starts),
                 spreadUpdate(b, op.getUpdate(), op.getX(), dims), op.getX()));
    return success();
  }
};

/// A slice of one element along one dim of a value that the loop computes.
/// Slices of other values are read from memory.
struct SliceToSelect : OpRewritePattern<tx::DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    if (!isInLoop(op) || !isSmall(type) || isInvariant(op.getX()))
      return failure();
    RankedTensorType slice = op.getType();
    int64_t dim = -1;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (slice.getDimSize(d) != type.getDimSize(d)) {
        if (dim >= 0 || slice.getDimSize(d) != 1)
          return failure();
        dim = d;
      }
    if (dim < 0 || type.getDimSize(dim) > maxReadSlices)
      return failure();
    TensorBuilder b(rewriter, op);
    Value start = b.convert(op.getStarts()[dim], DType::I64);
    Value result = b.sliceAlong(op.getX(), dim, 0, 1);
    for (int64_t i = 1; i < type.getDimSize(dim); ++i)
      result = b.select(b.greaterOrEqual(start, i),
                        b.sliceAlong(op.getX(), dim, i, 1), result);
    rewriter.replaceOp(op, result);
    return success();
  }

  /// True for a block argument that is the same in each iteration.
  static bool isInvariant(Value x) {
    auto argument = dyn_cast<BlockArgument>(x);
    if (!argument)
      return false;
    Operation *loop = argument.getOwner()->getParentOp();
    unsigned changing = loop->getNumResults();
    if (auto scan = dyn_cast<tx::ScanOp>(loop))
      changing = 1 + scan.getCarried() + scan.getScanned();
    return argument.getArgNumber() >= changing;
  }
};
} // namespace

void addLoopUpdatesPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterToSelect, UpdateToSelect, SliceToSelect>(
      patterns.getContext());
}

} // namespace tensorc::compiler
