//===- Reductions.cpp - Reductions and contractions -----------------------===//

#include "compiler/graph/OpShapes.h"
#include "compiler/graph/ops/Constants.h"
#include "compiler/graph/ops/MatmulPrecision.h"
#include "compiler/graph/ops/Rules.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

static const char *reductionName(OpKind op) {
  return op == OpKind::ReduceMax   ? "max"
         : op == OpKind::ReduceMin ? "min"
                                   : traits(op).apiName;
}

NodeRef reduce(Recorder &r, OpKind op, const NodeRef &operand, Ints axes,
               bool keepDims) {
  const char *name = reductionName(op);
  if (!operand)
    return r.fail(name, "the operand is an undefined tensor");
  const OpTraits &info = traits(op);
  NodeRef x = operand;
  if (!checkComputed(r, name, x->dtype()))
    return {};
  bool ofBools = isIn(x->dtype(), boolMask);
  if (ofBools && !isIn(DType::I1, info.operandMasks[0]))
    x = astype(r, x, DType::I64);
  if (!ofBools && info.operandMasks[0] == boolMask)
    x = elementwise(r, OpKind::Ne, {x, Scalar::of(int64_t(0))});
  else if (isComplex(x->dtype()) && !isIn(x->dtype(), info.operandMasks[0]))
    return r.fail(name, llvm::Twine("dtype must be ") +
                            maskName(info.operandMasks[0]) + ", not " +
                            dtypeName(x->dtype()) + remedyFor(x->dtype()));
  Shape dims, shape;
  if (!x || !normalizeAxes(r, name, *x.get(), axes, true, dims) ||
      !follow(r, name, *inferShape(op, dimsOf(x), dims), shape))
    return {};
  DType dtype = info.resultDType == DType::None ? x->dtype() : info.resultDType;
  if (!checkShape(r, name, dtype, shape))
    return {};
  NodeRef result = NodeRef::take(Node::create(
      op, dtype, shape, x.get(), tx::ReductionAttributes{dims}, r.location));
  if (!keepDims)
    return result;
  Shape kept(x->shape().begin(), x->shape().end());
  for (int64_t dim : dims)
    kept[dim] = 1;
  return reshape(r, result, kept);
}

static constexpr DTypeMask f8Mask =
    maskOf(DType::F8E4M3FN) | maskOf(DType::F8E5M2);

static bool areF8(const NodeRef &x, const NodeRef &y) {
  return isIn(x->dtype(), f8Mask) && isIn(y->dtype(), f8Mask);
}

/// Returns the dtype of a product, or nullopt if there is none.
static std::optional<DType> productDType(const NodeRef &x, const NodeRef &y) {
  std::optional<DType> dtype =
      areF8(x, y) ? DType::F32 : promote(x->dtype(), y->dtype());
  return dtype && isIn(*dtype, numberMask | complexMask) ? dtype : std::nullopt;
}

NodeRef dotGeneral(Recorder &r, const NodeRef &x, const NodeRef &y, Ints xBatch,
                   Ints yBatch, Ints xContracting, Ints yContracting) {
  if (!x || !y)
    return r.fail("dot_general", "an operand is an undefined tensor");
  std::optional<DType> dtype = productDType(x, y);
  if (!dtype)
    return r.fail("dot_general", llvm::Twine("no common number dtype of ") +
                                     dtypeName(x->dtype()) + " and " +
                                     dtypeName(y->dtype()));
  Shape all[2];
  llvm::append_range(all[0], xBatch);
  llvm::append_range(all[0], xContracting);
  llvm::append_range(all[1], yBatch);
  llvm::append_range(all[1], yContracting);
  Shape shape;
  for (auto [list, rank] :
       {std::pair(&all[0], x->rank()), std::pair(&all[1], y->rank())})
    for (int64_t &axis : *list)
      axis += axis < 0 ? rank : 0;
  size_t batches = xBatch.size();
  Ints xa(all[0]), ya(all[1]);
  tx::DotGeneralAttributes attributes{.xBatch = xa.take_front(batches),
                                      .yBatch = ya.take_front(yBatch.size()),
                                      .xContracting = xa.drop_front(batches),
                                      .yContracting =
                                          ya.drop_front(yBatch.size())};
  if (!follow(
          r, "dot_general",
          shape::inferDot(dimsOf(x), dimsOf(y),
                          {attributes.xBatch, attributes.yBatch,
                           attributes.xContracting, attributes.yContracting}),
          shape))
    return {};
  if (!checkShape(r, "dot_general", *dtype, shape))
    return {};
  bool isF8 = areF8(x, y);
  NodeRef a = isF8 ? x : asFactor(r, astype(r, x, *dtype)),
          b = isF8 ? y : asFactor(r, astype(r, y, *dtype));
  if (!a || !b)
    return {};
  if (NodeRef product = dotOfConstant(r, a, b, attributes))
    return product;
  return NodeRef::take(Node::create(OpKind::DotGeneral, *dtype, shape,
                                    {a.get(), b.get()}, attributes,
                                    r.location));
}

/// Multiplies two batches of matrices, after broadcasting the batch dims.
static NodeRef batchedMatmul(Recorder &r, const NodeRef &x, const NodeRef &y) {
  Ints xs = x->shape(), ys = y->shape();
  Shape batch;
  if (!broadcastShapes(r, "matmul", xs.drop_back(2), ys.drop_back(2), batch))
    return {};
  Shape xShape = batch, yShape = batch, dims;
  llvm::append_range(xShape, xs.take_back(2));
  llvm::append_range(yShape, ys.take_back(2));
  for (size_t i = 0; i < batch.size(); ++i)
    dims.push_back(i);
  int64_t rank = xShape.size();
  return dotGeneral(r, broadcastTo(r, x, xShape), broadcastTo(r, y, yShape),
                    dims, dims, rank - 1, rank - 2);
}

NodeRef matmul(Recorder &r, const NodeRef &x, const NodeRef &y) {
  if (!x || !y)
    return r.fail("matmul", "an operand is an undefined tensor");
  if (x->rank() == 0 || y->rank() == 0)
    return r.fail("matmul", "operands need at least one dimension: " +
                                shapeString(x->shape()) + " x " +
                                shapeString(y->shape()));
  int64_t xInner = x->rank() - 1, yInner = std::max<int64_t>(y->rank(), 2) - 2;
  if (x->shape()[xInner] != y->shape()[yInner])
    return r.fail("matmul",
                  "inner dimensions differ: " + shapeString(x->shape()) +
                      " x " + shapeString(y->shape()));
  // The product of booleans is true if any pair of elements is true. It is
  // computed as a float sum and compared with 0.
  if (x->dtype() == DType::I1 && y->dtype() == DType::I1) {
    NodeRef pairs =
        matmul(r, astype(r, x, DType::F32), astype(r, y, DType::F32));
    return pairs ? astype(r, pairs, DType::I1) : pairs;
  }
  if (!productDType(x, y))
    return r.fail("matmul", llvm::Twine("no common number dtype of ") +
                                dtypeName(x->dtype()) + " and " +
                                dtypeName(y->dtype()));
  if (y->rank() <= 2)
    return dotGeneral(r, x, y, {}, {}, xInner, yInner);
  if (x->rank() > 1)
    return batchedMatmul(r, x, y);
  // A vector times matrices: the result lacks the vector's dim.
  NodeRef row = reshape(r, x, {1, x->shape()[0]});
  NodeRef product = batchedMatmul(r, row, y);
  return product ? squeeze(r, product, -2) : product;
}

} // namespace tensorc::graph
