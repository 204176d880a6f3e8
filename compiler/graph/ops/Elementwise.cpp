//===- Elementwise.cpp - Promotion, broadcasting, element-wise ops --------===//

#include "compiler/graph/ops/Powers.h"
#include "compiler/graph/ops/Rules.h"

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
  Shape dims, given;
  size_t skipped = shape.size() - x->rank();
  for (size_t i = 0; i < x->rank(); ++i)
    dims.push_back(skipped + i);
  if (x->rank() > shape.size())
    return r.fail("broadcast_to", "cannot broadcast " +
                                      shapeString(x->shape()) + " to " +
                                      shapeString(shape));
  if (!checkShape(r, "broadcast_to", x->dtype(), shape) ||
      !follow(r, "broadcast_to",
              shape::inferBroadcast(dimsOf(x), dims, sizesOf(shape)), given))
    return {};
  return NodeRef::take(Node::create(OpKind::Broadcast, x->dtype(), shape,
                                    x.get(), tx::BroadcastAttributes{dims},
                                    r.location));
}

NodeRef astype(Recorder &r, const NodeRef &x, DType dtype) {
  if (!x || x->dtype() == dtype)
    return x;
  if (isComplex(x->dtype()) && !isComplex(dtype) && dtype != DType::I1)
    return r.fail("astype", llvm::Twine("from ") + dtypeName(x->dtype()) +
                                " to " + dtypeName(dtype) +
                                " the imaginary part would be lost; take "
                                "real(x)");
  // Converts storage dtypes to the complex dtype by way of its real dtype.
  if (isComplex(dtype) && isStorage(x->dtype()))
    return astype(r, astype(r, x, planeOf(dtype)), dtype);
  if (isComplex(x->dtype()) && dtype == DType::I1)
    return elementwise(r, OpKind::Ne, {x, Scalar::of(int64_t(0))});
  if (!checkShape(r, "astype", dtype, x->shape()))
    return {};
  return NodeRef::take(Node::create(OpKind::Convert, dtype, x->shape(), x.get(),
                                    {}, r.location));
}

/// Returns the common dtype of the operands. The caller omits the predicate of
/// a select.
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

/// Returns the operand converted to the dtype and broadcast to the shape.
static NodeRef fit(Recorder &r, const char *op, const Operand &operand,
                   DType dtype, Ints shape) {
  if (operand.isScalar) {
    if (isComplex(dtype))
      return full(r, dtype, shape, operand.scalar);
    std::optional<uint64_t> bits = encode(operand.scalar, dtype);
    if (!bits)
      return r.fail(op, llvm::Twine("the number ") + toString(operand.scalar) +
                            " is outside " + dtypeName(dtype));
    if (isPacked(dtype))
      return full(r, dtype, shape, operand.scalar);
    return NodeRef::take(Node::create(OpKind::Full, dtype, shape, {},
                                      FullAttributes{*bits}, r.location));
  }
  return broadcastTo(r, astype(r, operand.node, dtype), shape);
}

/// Returns the broadcast shape of the operands: a view of one operand's shape,
/// or of `storage`.
static std::optional<Ints> commonShape(Recorder &r, const char *op,
                                       llvm::ArrayRef<Operand> operands,
                                       Shape &storage) {
  std::optional<Ints> common;
  for (const Operand &operand : operands) {
    if (operand.isScalar || (common && *common == operand.node->shape()))
      continue;
    if (!common) {
      common = operand.node->shape();
      continue;
    }
    if (!broadcastShapes(r, op, *common, operand.node->shape(), storage))
      return std::nullopt;
    common = storage;
  }
  return common.value_or(Ints());
}

/// The common case and hot path of recording: tensors of one dtype and shape,
/// and numbers that this dtype can represent. Returns null for other operands,
/// or after an error.
static NodeRef elementwiseAlike(const Recorder &r, OpKind op,
                                const OpTraits &info,
                                llvm::ArrayRef<Operand> operands) {
  const Node *like = nullptr;
  for (const Operand &operand : operands)
    if (operand.node) {
      like = operand.node;
      break;
    }
  if (!like || !isIn(like->dtype(), computeMask) || op == OpKind::Select)
    return {};
  DType dtype = like->dtype();
  DType result = info.resultDType == DType::None ? dtype : info.resultDType;
  // With a wider result the number of bytes may overflow.
  if (byteWidth(result) > byteWidth(dtype))
    return {};
  Node *inputs[3];
  NodeRef numbers[3];
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand &operand = operands[i];
    if (!isIn(dtype, info.operandMasks[i]))
      return {};
    inputs[i] = operand.node;
    if (!operand.isScalar) {
      if (!operand.node || !operand.node->isLike(*like))
        return {};
      continue;
    }
    if (promoteScalar(dtype, operand.scalar) != dtype)
      return {};
    std::optional<uint64_t> bits = encode(operand.scalar, dtype);
    if (!bits)
      return {};
    numbers[i] =
        NodeRef::take(Node::create(OpKind::Full, dtype, like->shape(), {},
                                   FullAttributes{*bits}, r.location));
    inputs[i] = numbers[i].get();
  }
  return NodeRef::take(Node::create(
      op, result, like->shape(), {inputs, operands.size()}, {}, r.location,
      llvm::MutableArrayRef(numbers, operands.size())));
}

NodeRef elementwise(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands) {
  const OpTraits &info = traits(op);
  if (op == OpKind::Pow)
    if (NodeRef node = powerOfKnownExponent(r, operands[0], operands[1]))
      return node;
  if (NodeRef node = elementwiseAlike(r, op, info, operands))
    return node;
  const char *name = info.apiName;
  for (const Operand &operand : operands)
    if (!operand.isScalar && !operand.node)
      return r.fail(name, "an operand is an undefined tensor");
  // A predicate keeps its own dtype.
  size_t own = op == OpKind::Select ? 1 : 0;
  DType dtype = commonDType(r, name, operands.drop_front(own));
  Shape storage;
  if (dtype == DType::None)
    return {};
  if (op == OpKind::Abs && isComplex(dtype)) {
    NodeRef x = operands[0].isScalar ? full(r, dtype, {}, operands[0].scalar)
                                     : NodeRef(operands[0].node);
    return elementwise(r, OpKind::Hypot, {real(r, x), imag(r, x)});
  }
  if (op == OpKind::Pow && isIn(dtype, integerMask))
    return integerPower(r, operands[0], operands[1], dtype);
  std::optional<Ints> shape = commonShape(r, name, operands, storage);
  DType result = info.resultDType == DType::None ? dtype : info.resultDType;
  if (!shape || !checkShape(r, name, result, *shape))
    return {};
  Node *inputs[3];
  NodeRef made[3];
  for (auto [i, operand] : llvm::enumerate(operands)) {
    DType wanted = i >= own           ? dtype
                   : operand.isScalar ? defaultDType(operand.scalar)
                                      : operand.node->dtype();
    if (!isIn(wanted, info.operandMasks[i]))
      return r.fail(name, llvm::Twine("dtype must be ") +
                              maskName(info.operandMasks[i]) + ", not " +
                              dtypeName(wanted) + remedyFor(wanted));
    inputs[i] = operand.node;
    if (!operand.isScalar && operand.node->dtype() == wanted &&
        operand.node->shape() == *shape)
      continue;
    made[i] = fit(r, name, operand, wanted, *shape);
    if (!made[i])
      return {};
    inputs[i] = made[i].get();
  }
  return NodeRef::take(
      Node::create(op, result, *shape, {inputs, operands.size()}, {},
                   r.location, llvm::MutableArrayRef(made, operands.size())));
}

} // namespace tensorc::graph
