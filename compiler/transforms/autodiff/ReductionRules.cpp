//===- ReductionRules.cpp - Gradients of reductions and cumulative sums ---===//

#include "compiler/transforms/autodiff/Rules.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Reinserts the reduced dims of a value with size 1.
static Value keepDims(TensorBuilder &e, Value reduced, Value x, Numbers dims) {
  SmallVector<Dim> kept(dimsOf(x));
  for (int64_t dim : dims)
    kept[dim] = 1;
  return e.reshape(reduced, kept);
}

LogicalResult pullBack(tx::SumOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.set(0, e.broadcast(keepDims(e, g, op.getX(), op.getDims()),
                       dimsOf(op.getX())));
  return success();
}

static Value exclusiveProducts(TensorBuilder &e, Value x, int64_t dim,
                               bool reverse) {
  return tx::CumprodOp::create(e.b, e.loc, x, dim, reverse,
                               /*exclusive=*/true);
}

/// The factor of each element is the product of all other elements. It is
/// computed as the product of the elements before it times the product of the
/// elements after it, which also works for elements that are 0.
LogicalResult pullBack(tx::ProdOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value x = op.getX();
  SmallVector<int64_t> order = builder::allDimsBut(rankOf(x), op.getDims());
  size_t numKept = order.size();
  llvm::append_range(order, op.getDims());
  Value rows = e.transpose(x, order);
  SmallVector<Dim> dims(dimsOf(rows));
  SmallVector<Dim> flat(ArrayRef(dims).take_front(numKept));
  Dim count = 1;
  for (Dim dim : ArrayRef(dims).drop_front(numKept))
    count = count * dim;
  flat.push_back(count);
  Value line = e.reshape(rows, flat);
  int64_t last = flat.size() - 1;
  Value others = e.mul(exclusiveProducts(e, line, last, false),
                       exclusiveProducts(e, line, last, true));
  SmallVector<Dim> column(ArrayRef(flat).drop_back());
  column.push_back(1);
  Value gradient = e.mul(e.reshape(g, column), others);
  p.set(0,
        e.transpose(e.reshape(gradient, dims), invertPermutationVector(order)));
  return success();
}

/// Elements that equal the extremum share its gradient.
static void pullBackExtremum(Value x, Value result, Numbers dims, Value g,
                             Pullback &p) {
  TensorBuilder &e = p.e;
  Value chosen = e.equal(x, keepDims(e, result, x, dims));
  Value share = e.convert(chosen, builder::wideOf(dtypeOf(x)));
  Value count = e.sum(share, dims, /*keepDims=*/true);
  Value wide = e.mul(e.widen(keepDims(e, g, x, dims)), e.div(share, count));
  p.set(0, e.convertLike(wide, x));
}

LogicalResult pullBack(tx::ReduceMaxOp op, Value g, Pullback &p) {
  pullBackExtremum(op.getX(), op.getResult(), op.getDims(), g, p);
  return success();
}

LogicalResult pullBack(tx::ReduceMinOp op, Value g, Pullback &p) {
  pullBackExtremum(op.getX(), op.getResult(), op.getDims(), g, p);
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
/// One operand of a contraction.
struct Side {
  Value value;
  SmallVector<int64_t> batch, contracting, rest;

  Side(Value value, Numbers batch, Numbers contracting)
      : value(value), batch(batch), contracting(contracting) {
    for (int64_t dim : llvm::seq<int64_t>(0, rankOf(value)))
      if (!llvm::is_contained(batch, dim) &&
          !llvm::is_contained(contracting, dim))
        rest.push_back(dim);
  }
};
} // namespace

/// Returns the gradient of one operand: the result's gradient contracted with
/// the other operand, whose free dims begin at dim `first` of the result. If
/// the result is wider than the operands, the gradient is also a product of
/// narrow operands with wide accumulation.
static Value gradientOf(TensorBuilder &e, const Side &own, const Side &other,
                        Value g, int64_t first) {
  auto otherRest =
      llvm::to_vector(llvm::seq<int64_t>(first, first + other.rest.size()));
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, own.batch.size()));
  Value product = e.dot(e.convertLike(g, other.value), other.value,
                        {batch, other.batch, otherRest, other.rest});
  product.setType(tx::withElementType(product.getType(),
                                      getElementTypeOrSelf(g.getType())));
  // The product's dims are the batch, the operand's own free dims, and the
  // contracted ones in the order of the other operand's dims.
  SmallVector<int64_t> order(own.batch);
  llvm::append_range(order, own.rest);
  for (int64_t dim : llvm::seq<int64_t>(0, rankOf(other.value)))
    for (auto [mine, its] : llvm::zip(own.contracting, other.contracting))
      if (its == dim)
        order.push_back(mine);
  return e.convertLike(e.transpose(product, invertPermutationVector(order)),
                       own.value);
}

LogicalResult pullBack(tx::DotGeneralOp op, Value g, Pullback &p) {
  Side x(op.getX(), op.getXBatch(), op.getXContracting());
  Side y(op.getY(), op.getYBatch(), op.getYContracting());
  int64_t numBatch = x.batch.size(), numRest = x.rest.size();
  p.give(0, [&] { return gradientOf(p.e, x, y, g, numBatch + numRest); });
  p.give(1, [&] { return gradientOf(p.e, y, x, g, numBatch); });
  return success();
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

static Value cumsum(TensorBuilder &e, Value x, int64_t dim, bool reverse,
                    bool exclusive) {
  return tx::CumsumOp::create(e.b, e.loc, x, dim, reverse, exclusive);
}

LogicalResult pullBack(tx::CumsumOp op, Value g, Pullback &p) {
  p.set(0, cumsum(p.e, g, op.getDim(), !op.getReverse(), op.getExclusive()));
  return success();
}

/// Returns x shifted by `by` elements along the dim, towards its end or towards
/// its beginning.
static Value shifted(TensorBuilder &e, Value x, int64_t dim, int64_t by,
                     bool toEnd, double fill) {
  SmallVector<int64_t> low(rankOf(x), 0), high(rankOf(x), 0),
      interior(rankOf(x), 0);
  low[dim] = toEnd ? by : -by;
  high[dim] = toEnd ? -by : by;
  return e.pad(x, low, high, interior, fill);
}

/// Returns s with s[i] = g[i] + factor[i] s[i + 1], or s[i - 1] if `toEnd`: a
/// scan of linear functions, in ceil(log2(n)) steps (Hillis and Steele, Data
/// parallel algorithms, 1986).
static Value scanLinear(TensorBuilder &e, Value g, Value factor, int64_t dim,
                        int64_t size, bool toEnd) {
  for (int64_t step = 1; step < size; step *= 2) {
    g = e.add(g, e.mul(factor, shifted(e, g, dim, step, toEnd, 0.0)));
    factor = e.mul(factor, shifted(e, factor, dim, step, toEnd, 0.0));
  }
  return g;
}

/// The gradient of x[i] is the product of the elements before i, times s[i]:
/// the sum over j >= i of g[j] times the product of the elements between i and
/// j.
LogicalResult pullBack(tx::CumprodOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value x = op.getX();
  int64_t dim = op.getDim();
  std::optional<int64_t> size = dimsOf(x)[dim].number();
  if (!size)
    return op.emitOpError(
        "has no gradient along a dim of named size: its steps "
        "are as many as the size asks for");
  // s accumulates from the end for a forward scan and from the beginning for a
  // reverse scan.
  bool toEnd = op.getReverse();
  if (op.getExclusive())
    g = shifted(e, g, dim, 1, toEnd, 0.0);
  Value factor = shifted(e, x, dim, 1, toEnd, 0.0);
  Value sum = scanLinear(e, g, factor, dim, *size, toEnd);
  p.set(0, e.mul(exclusiveProducts(e, x, dim, op.getReverse()), sum));
  return success();
}

/// The gradient goes to the element that is the extremum so far; among equal
/// elements, to the last one.
template <typename Op>
static void pullBackExtrema(Op op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value x = op.getX(), result = op.getResult();
  int64_t dim = op.getDim();
  bool reverse = op.getReverse();
  if (op.getExclusive()) {
    g = shifted(e, g, dim, 1, reverse, 0.0);
    result = Op::create(e.b, e.loc, x, dim, reverse, false);
  }
  Value place = e.iota(DType::I64, dimsOf(x), dim);
  Value winner;
  if (reverse) {
    Value none =
        e.full(std::numeric_limits<int64_t>::max(), DType::I64, dimsOf(x));
    Value own = e.select(e.equal(x, result), place, none);
    winner = tx::CumminOp::create(e.b, e.loc, own, dim, true, false);
  } else {
    Value none = e.full(int64_t(-1), DType::I64, dimsOf(x));
    Value own = e.select(e.equal(x, result), place, none);
    winner = tx::CummaxOp::create(e.b, e.loc, own, dim, false, false);
  }
  p.set(0, e.addAlong(dimsOf(x), g, winner, dim));
}

/// The sums s[j] of g[i] exp(y[j] - y[i]) obey s[j] = g[j] + exp(y[j] - y[j +
/// 1]) s[j + 1]. y grows, so that no factor is above 1. The gradient of x[j] is
/// exp(x[j] - y[j]) s[j]. Along a dim of symbolic size the sums are computed by
/// logarithms, of positive and negative g separately; the logarithms have no
/// derivative where g is 0.
LogicalResult pullBack(tx::LogcumsumexpOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  constexpr double inf = std::numeric_limits<double>::infinity();
  int64_t dim = op.getDim();
  bool toEnd = op.getReverse();
  if (std::optional<int64_t> size = dimsOf(op.getX())[dim].number()) {
    Value y = op.getResult();
    if (op.getExclusive()) {
      g = shifted(e, g, dim, 1, toEnd, 0.0);
      y = tx::LogcumsumexpOp::create(e.b, e.loc, op.getX(), dim, toEnd, false);
    }
    y = e.widen(y);
    Value none = e.full(0.0, dtypeOf(y), dimsOf(y));
    Value isNothing = e.equal(y, -inf);
    auto share = [&](Value of, Value whole) {
      // The distance is 0 where both logarithms are +inf.
      Value distance = e.select(e.equal(of, whole), none, e.sub(of, whole));
      return e.select(isNothing, none, e.exp(distance));
    };
    Value next = shifted(e, y, dim, 1, toEnd, inf);
    Value sum = scanLinear(e, e.widen(g), share(y, next), dim, *size, toEnd);
    Value all = e.mul(share(e.widen(op.getX()), y), sum);
    p.set(0, e.convertLike(all, op.getX()));
    return success();
  }
  Value x = e.widen(op.getX()), y = e.widen(op.getResult());
  Value isNothing = e.equal(y, -inf);
  auto part = [&](Value weight) {
    Value terms = e.sub(e.log(e.max(weight, 0.0)), y);
    terms = e.select(isNothing, e.full(-inf, dtypeOf(y), dimsOf(y)), terms);
    Value sums = tx::LogcumsumexpOp::create(
        e.b, e.loc, terms, op.getDim(), !op.getReverse(), op.getExclusive());
    return e.exp(e.add(sums, x));
  };
  Value wide = e.widen(g);
  p.set(0, e.convertLike(e.sub(part(wide), part(e.neg(wide))), op.getX()));
  return success();
}

LogicalResult pullBack(tx::CummaxOp op, Value g, Pullback &p) {
  pullBackExtrema(op, g, p);
  return success();
}

LogicalResult pullBack(tx::CumminOp op, Value g, Pullback &p) {
  pullBackExtrema(op, g, p);
  return success();
}

} // namespace tensorc::compiler::autodiff
