//===- Defined.cpp - Recording ops that their definition describes fully --===//

#include "compiler/graph/OpShapes.h"
#include "compiler/graph/ops/Composites.h"
#include "compiler/graph/ops/Rules.h"

namespace tensorc::graph {

bool checkTaken(Recorder &r, OpKind op, DType dtype) {
  const OpTraits &info = traits(op);
  if (isIn(dtype, info.operandMasks[0]))
    return true;
  r.fail(info.apiName, llvm::Twine("dtype must be ") +
                           maskName(info.operandMasks[0]) + ", not " +
                           dtypeName(dtype) + remedyFor(dtype));
  return false;
}

NodeRef nodeOf(Recorder &r, OpKind op, DType dtype,
               llvm::ArrayRef<NodeRef> operands, Ints words, Ints asked) {
  /// Attributes that are given as words.
  struct Words {
    Ints list;
    size_t numWords() const { return list.size(); }
    void write(int64_t *words) const {
      std::copy(list.begin(), list.end(), words);
    }
  };
  llvm::SmallVector<Node *, 6> nodes;
  llvm::SmallVector<shape::Dims, 6> dims;
  for (const NodeRef &operand : operands)
    if (operand) {
      nodes.push_back(operand.get());
      dims.push_back(dimsOf(operand));
    }
  const char *name = traits(op).apiName;
  Shape shape;
  if (!follow(r, name, *inferShape(op, dims, words, sizesOf(asked)), shape) ||
      !checkShape(r, name, dtype, shape))
    return {};
  return NodeRef::take(
      Node::create(op, dtype, shape, nodes, Words{words}, r.location));
}

NodeRef defined(Recorder &r, OpKind op, llvm::ArrayRef<NodeRef> operands,
                Ints words) {
  const OpTraits &info = traits(op);
  DType dtype = DType::None;
  for (const NodeRef &x : operands) {
    if (!x)
      return r.fail(info.apiName, "an operand is an undefined tensor");
    std::optional<DType> both =
        dtype == DType::None ? x->dtype() : promote(dtype, x->dtype());
    if (!both)
      return r.fail(info.apiName, llvm::Twine("no common dtype of ") +
                                      dtypeName(dtype) + " and " +
                                      dtypeName(x->dtype()));
    dtype = *both;
  }
  if (!checkComputed(r, info.apiName, dtype) || !checkTaken(r, op, dtype))
    return {};
  llvm::SmallVector<NodeRef, 3> converted;
  for (const NodeRef &x : operands)
    converted.push_back(astype(r, x, dtype));
  if (!r.error.empty())
    return {};
  return nodeOf(r, op,
                info.resultDType == DType::None ? dtype : info.resultDType,
                converted, words);
}

bool needFloat(Recorder &r, const char *name, const NodeRef &x) {
  if (!x)
    r.fail(name, "the operand is an undefined tensor");
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

NodeRef compositeOf(Recorder &r, OpKind op, DType dtype,
                    llvm::ArrayRef<NodeRef> operands, Ints words, Ints asked) {
  return r.error.empty() ? nodeOf(r, op, dtype, operands, words, asked)
                         : NodeRef();
}

} // namespace tensorc::graph
