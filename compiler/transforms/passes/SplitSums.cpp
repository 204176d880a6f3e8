//===- SplitSums.cpp - Reductions over dims that are not contiguous -------===//
//
// In multi-head attention the heads come before the rows, and the following
// contraction reduces over the heads and the depth of each:
//   %t = tx.transpose %x [1, 0, 2] : 12x197x64 -> 197x12x64
//   %r = tx.reshape %t : 197x12x64 -> 197x768
//   %0 = tx.dot_general %r, %w contracting [1] x [0]
// becomes
//   %v = tx.reshape %w : 768xN -> 12x64xN
//   %0 = tx.dot_general %t, %v contracting [1, 2] x [0, 1]
//
// A single loop over both dims would divide by 64 to find the element of each
// step, and the addresses of a tile's rows would share no common offset. On a
// GPU x would not be contiguous along that loop, so that its reads would not be
// coalesced. The order of the steps, and so the bits of the result, are the
// same.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/SplitSums.h"
#include "compiler/transforms/fusion/ContractionRule.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of rows for leaving contractions as they are. Their schedules
/// for few rows compute the address of an element once for many columns, so
/// that splitting saves nothing.
static constexpr int64_t maxRowsOfOtherSchedules = 64;

namespace {

/// The range of dims of the reshape's operand that it merges into one.
struct Merged {
  int64_t begin, end;
};

/// Returns the operand's dims that the reshape merges into its dim `to`, or
/// nullopt unless the dims after `to` are unchanged and the merged sizes are
/// constants.
std::optional<Merged> mergedDims(tx::ReshapeOp reshape, int64_t to) {
  ArrayRef<shape::Dim> from = tx::dimsOf(reshape.getX().getType()),
                       into = tx::dimsOf(reshape.getType());
  ArrayRef<shape::Dim> inner = into.drop_front(to + 1);
  if (from.size() < inner.size() || from.take_back(inner.size()) != inner)
    return std::nullopt;
  std::optional<int64_t> size = into[to].number();
  int64_t begin = from.size() - inner.size(), end = begin, count = 1;
  while (size && count < *size && begin > 0) {
    std::optional<int64_t> next = from[--begin].number();
    if (!next || *next == 0)
      return std::nullopt;
    count *= *next;
  }
  return size && count == *size ? std::optional(Merged{begin, end})
                                : std::nullopt;
}

/// True if the dims are adjacent and in the same order before the transpose.
bool areTogether(tx::TransposeOp transpose, Merged merged) {
  std::optional<int64_t> last;
  ArrayRef<shape::Dim> sizes = tx::dimsOf(transpose.getX().getType());
  for (int64_t d = merged.begin; d < merged.end; ++d) {
    int64_t from = transpose.getPermutation()[d];
    if (sizes[from] == shape::Dim(1))
      continue;
    for (int64_t between = last ? *last + 1 : from; between < from; ++between)
      if (sizes[between] != shape::Dim(1))
        return false;
    if (last && from < *last)
      return false;
    last = from;
  }
  return true;
}

/// True if the value is read from memory unchanged. Widened bytes and computed
/// values have separate patterns.
bool isStored(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!isa<tx::ReshapeOp, tx::TransposeOp>(op))
      return !op->hasTrait<tx::Elementwise>() && !isa<tx::BroadcastOp>(op);
    v = op->getOperand(0);
  }
  return true;
}

/// Splits dim `d` into dims of these sizes.
Value split(PatternRewriter &b, Location loc, Value v, int64_t d,
            ArrayRef<shape::Dim> sizes) {
  auto type = cast<RankedTensorType>(v.getType());
  SmallVector<shape::Dim> dims(tx::dimsOf(type));
  dims.erase(dims.begin() + d);
  dims.insert(dims.begin() + d, sizes.begin(), sizes.end());
  return b.createOrFold<tx::ReshapeOp>(
      loc, tx::tensorType(dims, type.getElementType()), v);
}

/// Returns the dims after `d` was split into `count` of them.
SmallVector<int64_t> placesAfter(ArrayRef<int64_t> places, int64_t d,
                                 int64_t count) {
  SmallVector<int64_t> result;
  for (int64_t place : places) {
    if (place != d) {
      result.push_back(place < d ? place : place + count - 1);
      continue;
    }
    for (int64_t i = 0; i < count; ++i)
      result.push_back(d + i);
  }
  return result;
}

struct SplitSums : OpRewritePattern<tx::DotGeneralOp> {
  SplitSums(MLIRContext *context, bool onGrid)
      : OpRewritePattern(context), onGrid(onGrid) {}
  bool onGrid;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    auto reshape = dot.getX().getDefiningOp<tx::ReshapeOp>();
    auto transpose = reshape ? reshape.getX().getDefiningOp<tx::TransposeOp>()
                             : tx::TransposeOp();
    if (!transpose || !isa<FloatType>(dot.getType().getElementType()) ||
        !isStored(dot.getY()))
      return failure();
    auto rows = countFree(dot.getX(), dot.getXBatch(), dot.getXContracting());
    if (!onGrid && rows && *rows <= maxRowsOfOtherSchedules)
      return failure();
    for (auto [x, y] :
         llvm::zip_equal(dot.getXContracting(), dot.getYContracting())) {
      std::optional<Merged> merged = mergedDims(reshape, x);
      if (!merged || areTogether(transpose, *merged))
        continue;
      SmallVector<shape::Dim> sizes;
      for (shape::Dim size :
           tx::dimsOf(transpose.getType())
               .slice(merged->begin, merged->end - merged->begin))
        if (size != shape::Dim(1))
          sizes.push_back(size);
      int64_t count = sizes.size();
      b.replaceOpWithNewOp<tx::DotGeneralOp>(
          dot, dot.getType(), split(b, dot.getLoc(), reshape, x, sizes),
          split(b, dot.getLoc(), dot.getY(), y, sizes),
          placesAfter(dot.getXBatch(), x, count),
          placesAfter(dot.getYBatch(), y, count),
          placesAfter(dot.getXContracting(), x, count),
          placesAfter(dot.getYContracting(), y, count));
      return success();
    }
    return failure();
  }
};

} // namespace

void addSplitSumsPatterns(RewritePatternSet &patterns, bool onGrid) {
  patterns.add<SplitSums>(patterns.getContext(), onGrid);
}

} // namespace tensorc::compiler
