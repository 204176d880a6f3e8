//===- Composites.cpp - Recording ops that are made of others -------------===//

#include "compiler/graph/nn/Composites.h"

#include "compiler/graph/CompositeShapes.h"
#include "compiler/graph/ops/Rules.h"

namespace tensorc::graph {

bool needFloat(Recorder &r, const char *name, const NodeRef &x) {
  if (!x)
    r.fail(name, "the operand is an empty tensor");
  else if (!isIn(x->dtype(), floatMask))
    r.fail(name, llvm::Twine("dtype must be a float, not ") +
                     dtypeName(x->dtype()) + "; convert with astype");
  return r.error.empty();
}

int64_t presenceOf(std::initializer_list<NodeRef> optional) {
  int64_t bits = 0, bit = 1;
  for (const NodeRef &operand : optional) {
    bits |= operand ? bit : 0;
    bit <<= 1;
  }
  return bits;
}

namespace {
/// Attributes that are words already.
struct Words {
  Ints list;
  size_t numWords() const { return list.size(); }
  void write(int64_t *words) const {
    std::copy(list.begin(), list.end(), words);
  }
};
} // namespace

NodeRef compositeOf(Recorder &r, OpKind op, DType dtype,
                    llvm::ArrayRef<NodeRef> operands, Ints words) {
  if (!r.error.empty())
    return {};
  llvm::SmallVector<Node *, 6> nodes;
  llvm::SmallVector<shape::Dims, 6> dims;
  for (const NodeRef &operand : operands)
    if (operand) {
      nodes.push_back(operand.get());
      dims.push_back(dimsOf(operand));
    }
  const char *name = traits(op).apiName;
  Shape shape;
  if (!follow(r, name, inferComposite(op, dims, words), shape) ||
      !checkShape(r, name, dtype, shape))
    return {};
  return NodeRef::take(
      Node::create(op, dtype, shape, nodes, Words{words}, r.location));
}

} // namespace tensorc::graph
