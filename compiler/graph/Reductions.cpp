//===- Reductions.cpp - Reductions and contractions -----------------------===//

#include "compiler/graph/Builders.h"

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
    return r.fail(name, "the operand is an empty tensor");
  NodeRef x = operand;
  if (!checkComputed(r, name, x->dtype()))
    return {};
  bool ofBools = isIn(x->dtype(), boolMask);
  if (ofBools && (op == OpKind::Sum || op == OpKind::Prod))
    x = astype(r, x, DType::I64);
  if (!ofBools && (op == OpKind::Any || op == OpKind::All))
    x = elementwise(r, OpKind::Ne, {x, Scalar::of(int64_t(0))});
  bool isArgument = op == OpKind::Argmax || op == OpKind::Argmin;
  Shape dims, shape, kept;
  if (!x || !normalizeAxes(r, name, *x.get(), axes, true, dims))
    return {};
  for (auto [i, dim] : llvm::enumerate(x->shape())) {
    bool reduced = llvm::is_contained(dims, static_cast<int64_t>(i));
    if (reduced && dim == 0 && isArgument)
      return r.fail(name,
                    "no elements to choose from: " + shapeString(x->shape()));
    if (!reduced)
      shape.push_back(dim);
    kept.push_back(reduced ? 1 : dim);
  }
  DType dtype = isArgument ? DType::I64 : x->dtype();
  if (!checkShape(r, name, dtype, shape))
    return {};
  NodeRef result = NodeRef::take(Node::create(
      op, dtype, shape, x.get(), tx::ReductionAttributes{dims}, r.location));
  return keepDims ? reshape(r, result, kept) : result;
}

/// The dims that are in neither list.
static void appendFree(Ints shape, Ints batch, Ints contracting,
                       Shape &result) {
  for (auto [i, dim] : llvm::enumerate(shape))
    if (!llvm::is_contained(batch, static_cast<int64_t>(i)) &&
        !llvm::is_contained(contracting, static_cast<int64_t>(i)))
      result.push_back(dim);
}

NodeRef dotGeneral(Recorder &r, const NodeRef &x, const NodeRef &y, Ints xBatch,
                   Ints yBatch, Ints xContracting, Ints yContracting) {
  if (!x || !y)
    return r.fail("dot_general", "an operand is an empty tensor");
  std::optional<DType> dtype = promote(x->dtype(), y->dtype());
  if (!dtype || !isIn(*dtype, numberMask))
    return r.fail("dot_general", llvm::Twine("no common number dtype of ") +
                                     dtypeName(x->dtype()) + " and " +
                                     dtypeName(y->dtype()));
  if (xBatch.size() != yBatch.size() ||
      xContracting.size() != yContracting.size())
    return r.fail("dot_general", "lists of axes differ in length");
  Shape all[2];
  llvm::append_range(all[0], xBatch);
  llvm::append_range(all[0], xContracting);
  llvm::append_range(all[1], yBatch);
  llvm::append_range(all[1], yContracting);
  Shape checked, shape;
  if (!normalizeAxes(r, "dot_general", *x.get(), all[0], false, checked) ||
      !normalizeAxes(r, "dot_general", *y.get(), all[1], false, checked))
    return {};
  for (auto [i, a, b] : llvm::enumerate(all[0], all[1])) {
    a += a < 0 ? x->rank() : 0;
    b += b < 0 ? y->rank() : 0;
    if (x->shape()[a] != y->shape()[b])
      return r.fail("dot_general", (i < xBatch.size() ? "batch" : "inner") +
                                       llvm::Twine(" dimensions differ: ") +
                                       shapeString(x->shape()) + " x " +
                                       shapeString(y->shape()));
    if (i < xBatch.size())
      shape.push_back(x->shape()[a]);
  }
  size_t batches = xBatch.size();
  Ints xa(all[0]), ya(all[1]);
  tx::DotGeneralAttributes attributes{.xBatch = xa.take_front(batches),
                                      .yBatch = ya.take_front(batches),
                                      .xContracting = xa.drop_front(batches),
                                      .yContracting = ya.drop_front(batches)};
  appendFree(x->shape(), attributes.xBatch, attributes.xContracting, shape);
  appendFree(y->shape(), attributes.yBatch, attributes.yContracting, shape);
  if (!checkShape(r, "dot_general", *dtype, shape))
    return {};
  NodeRef a = astype(r, x, *dtype), b = astype(r, y, *dtype);
  if (!a || !b)
    return {};
  return NodeRef::take(Node::create(OpKind::DotGeneral, *dtype, shape,
                                    {a.get(), b.get()}, attributes,
                                    r.location));
}

/// Batched on both sides: brings the batch dims to their common shape.
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
    return r.fail("matmul", "an operand is an empty tensor");
  if (x->rank() == 0 || y->rank() == 0)
    return r.fail("matmul", "operands need at least one dimension: " +
                                shapeString(x->shape()) + " x " +
                                shapeString(y->shape()));
  int64_t xInner = x->rank() - 1, yInner = std::max<int64_t>(y->rank(), 2) - 2;
  if (x->shape()[xInner] != y->shape()[yInner])
    return r.fail("matmul",
                  "inner dimensions differ: " + shapeString(x->shape()) +
                      " x " + shapeString(y->shape()));
  std::optional<DType> dtype = promote(x->dtype(), y->dtype());
  if (!dtype || !isIn(*dtype, numberMask))
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
