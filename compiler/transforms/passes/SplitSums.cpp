//===- SplitSums.cpp - Sums over dims that do not lie side by side --------===//
//
// The heads of an attention stand before its rows, and the product behind it
// sums over them and over what each has:
//   %t = tx.transpose %x [1, 0, 2] : 12x197x64 -> 197x12x64
//   %r = tx.reshape %t : 197x12x64 -> 197x768
//   %0 = tx.dot_general %r, %w contracting [1] x [0]
// becomes
//   %v = tx.reshape %w : 768xN -> 12x64xN
//   %0 = tx.dot_general %t, %v contracting [1, 2] x [0, 1]
//
// A step of one loop over both would divide by 64 to find its element, and the
// addresses of a tile's rows would have nothing in common. The steps, and so
// the bits, are the same.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/SplitSums.h"
#include "compiler/transforms/fusion/ContractionRule.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler {

/// Other schedules take up to so many rows, and find their elements once for
/// many columns.
static constexpr int64_t fewRows = 64;

namespace {

/// The dims of the reshape's operand that it makes one of: those up to `end`.
struct Merged {
  int64_t begin, end;
};

/// What `to` is made of, if the dims behind it are the same on both sides and
/// all sizes of it are numbers.
std::optional<Merged> mergedDims(tx::ReshapeOp reshape, int64_t to) {
  ArrayRef<shape::Dim> from = tx::dimsOf(reshape.getX().getType()),
                       into = tx::dimsOf(reshape.getType());
  ArrayRef<shape::Dim> behind = into.drop_front(to + 1);
  if (from.size() < behind.size() || from.take_back(behind.size()) != behind)
    return std::nullopt;
  std::optional<int64_t> size = into[to].number();
  int64_t begin = from.size() - behind.size(), end = begin, count = 1;
  while (size && count < *size && begin > 0) {
    std::optional<int64_t> next = from[--begin].number();
    if (!next || *next == 0)
      return std::nullopt;
    count *= *next;
  }
  return size && count == *size ? std::optional(Merged{begin, end})
                                : std::nullopt;
}

/// Whether the dims lie side by side before the transpose, in their order.
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

/// Whether it is what memory has: bytes that are widened, and others that are
/// computed, have their own forms.
bool isStored(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!isa<tx::ReshapeOp, tx::TransposeOp>(op))
      return !op->hasTrait<tx::Elementwise>() && !isa<tx::BroadcastOp>(op);
    v = op->getOperand(0);
  }
  return true;
}

/// With dim `d` as those of `sizes`.
Value split(PatternRewriter &b, Location loc, Value v, int64_t d,
            ArrayRef<shape::Dim> sizes) {
  auto type = cast<RankedTensorType>(v.getType());
  SmallVector<shape::Dim> dims(tx::dimsOf(type));
  dims.erase(dims.begin() + d);
  dims.insert(dims.begin() + d, sizes.begin(), sizes.end());
  return b.createOrFold<tx::ReshapeOp>(
      loc, tx::tensorType(dims, type.getElementType()), v);
}

/// The same dims, where `d` has become `count` of them.
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
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    auto reshape = dot.getX().getDefiningOp<tx::ReshapeOp>();
    auto transpose = reshape ? reshape.getX().getDefiningOp<tx::TransposeOp>()
                             : tx::TransposeOp();
    if (!transpose || !isa<FloatType>(dot.getType().getElementType()) ||
        !isStored(dot.getY()))
      return failure();
    auto rows = countFree(dot.getX(), dot.getXBatch(), dot.getXContracting());
    if (rows && *rows <= fewRows)
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

void addSplitSumsPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitSums>(patterns.getContext());
}

} // namespace tensorc::compiler
