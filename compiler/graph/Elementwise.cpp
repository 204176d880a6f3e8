//===- Elementwise.cpp - Promotion, broadcasting, element-wise ops --------===//

#include "compiler/graph/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

bool broadcastShapes(Recorder &r, const char *op, Ints a, Ints b,
                     Shape &result) {
  size_t rank = std::max(a.size(), b.size());
  Shape out(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      r.fail(op, "shapes cannot be broadcast: " + shapeString(a) + " x " +
                     shapeString(b));
      return false;
    }
    out[rank - 1 - i] = x == 1 ? y : x;
  }
  result = std::move(out);
  return true;
}

NodeRef broadcastTo(Recorder &r, const NodeRef &x, Ints shape) {
  if (!x || x->shape() == shape)
    return x;
  Recorder scratch(r.location);
  Shape common, dims;
  size_t skipped = shape.size() - x->rank();
  if (x->rank() > shape.size() ||
      !broadcastShapes(scratch, "", x->shape(), shape, common) ||
      Ints(common) != shape)
    return r.fail("broadcast", "cannot broadcast " + shapeString(x->shape()) +
                                   " to " + shapeString(shape));
  if (!checkShape(r, "broadcast", x->dtype(), shape))
    return {};
  for (size_t i = 0; i < x->rank(); ++i)
    dims.push_back(skipped + i);
  return NodeRef::take(Node::create(OpKind::Broadcast, x->dtype(), shape,
                                    x.get(), dims, r.location));
}

NodeRef astype(Recorder &r, const NodeRef &x, DType dtype) {
  if (!x || x->dtype() == dtype)
    return x;
  if (!checkShape(r, "astype", dtype, x->shape()))
    return {};
  return NodeRef::take(Node::create(OpKind::Convert, dtype, x->shape(), x.get(),
                                    {}, r.location));
}

NodeRef tensorOf(Recorder &r, const Operand &operand) {
  if (!operand.isScalar)
    return operand.node;
  return full(r, defaultDType(operand.scalar), {}, operand.scalar);
}

/// The dtype that the operands (but the predicate of a select) take together.
static DType commonDType(Recorder &r, const char *op,
                         llvm::ArrayRef<Operand> operands) {
  std::optional<DType> common;
  for (const Operand &operand : operands) {
    if (operand.isScalar)
      continue;
    DType dtype = operand.node->dtype();
    std::optional<DType> both = common ? promote(*common, dtype) : dtype;
    if (!both) {
      r.fail(op, llvm::Twine("no common dtype of ") + dtypeName(*common) +
                     " and " + dtypeName(dtype) + "; convert with astype");
      return DType::None;
    }
    common = both;
  }
  for (const Operand &operand : operands)
    if (operand.isScalar)
      common = common ? promoteScalar(*common, operand.scalar)
                      : defaultDType(operand.scalar);
  return *common;
}

/// The operand with this dtype and shape.
static NodeRef fit(Recorder &r, const char *op, const Operand &operand,
                   DType dtype, Ints shape) {
  if (operand.isScalar) {
    std::optional<uint64_t> bits = encode(operand.scalar, dtype);
    if (!bits)
      return r.fail(op, llvm::Twine("the number ") +
                            std::to_string(operand.scalar.i) + " is outside " +
                            dtypeName(dtype));
    return NodeRef::take(Node::create(OpKind::Full, dtype, shape, {},
                                      static_cast<int64_t>(*bits), r.location));
  }
  if (operand.node->dtype() == dtype && operand.node->shape() == shape)
    return operand.node;
  return broadcastTo(r, astype(r, operand.node, dtype), shape);
}

static bool commonShape(Recorder &r, const char *op,
                        llvm::ArrayRef<Operand> operands, Shape &shape) {
  bool first = true;
  for (const Operand &operand : operands) {
    if (operand.isScalar)
      continue;
    Ints other = operand.node->shape();
    if (std::exchange(first, false))
      shape.assign(other.begin(), other.end());
    else if (Ints(shape) != other &&
             !broadcastShapes(r, op, shape, other, shape))
      return false;
  }
  return true;
}

NodeRef elementwise(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands) {
  const OpTraits &info = traits(op);
  const char *name = info.apiName;
  for (const Operand &operand : operands)
    if (!operand.isScalar && !operand.node)
      return r.fail(name, "an operand is an empty tensor");
  // A predicate keeps its own dtype.
  size_t own = op == OpKind::Select ? 1 : 0;
  DType dtype = commonDType(r, name, operands.drop_front(own));
  Shape shape;
  if (dtype == DType::None || !commonShape(r, name, operands, shape))
    return {};
  llvm::SmallVector<NodeRef, 3> fitted;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    DType wanted = i >= own           ? dtype
                   : operand.isScalar ? defaultDType(operand.scalar)
                                      : operand.node->dtype();
    if (!isIn(wanted, info.operandMasks[i]))
      return r.fail(name, llvm::Twine("dtype must be ") +
                              maskName(info.operandMasks[i]) + ", not " +
                              dtypeName(wanted));
    fitted.push_back(fit(r, name, operand, wanted, shape));
    if (!fitted.back())
      return {};
  }
  DType result = info.resultIsBool ? DType::I1 : dtype;
  if (!checkShape(r, name, result, shape))
    return {};
  Node *inputs[3];
  for (auto [i, node] : llvm::enumerate(fitted))
    inputs[i] = node.get();
  return NodeRef::take(Node::create(
      op, result, shape, llvm::ArrayRef<Node *>(inputs, fitted.size()), {},
      r.location));
}

} // namespace tensorc::graph
