//===- Composites.cpp - Recording composite ops ---------------------------===//

#include "compiler/graph/ops/Composites.h"

#include "compiler/graph/ops/Rules.h"

namespace tensorc::graph {

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
