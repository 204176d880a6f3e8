//===- ComplexMatrices.cpp - Complex matrices as real ones ----------------===//

#include "compiler/graph/linalg/ComplexMatrices.h"

namespace tensorc::graph {

/// x and y in turns along an axis, counted from the end.
static NodeRef inTurns(Recorder &r, const NodeRef &x, const NodeRef &y,
                       int64_t axis) {
  if (!x || !y)
    return {};
  // A new axis behind it has both.
  int64_t behind = static_cast<int64_t>(x->rank()) + axis + 1;
  NodeRef parts[] = {expandDims(r, x, behind), expandDims(r, y, behind)};
  NodeRef both = concatenate(r, parts, behind);
  Shape shape(x->shape().begin(), x->shape().end());
  shape[behind - 1] *= 2;
  return reshape(r, both, shape);
}

NodeRef asRealColumns(Recorder &r, const NodeRef &x) {
  return inTurns(r, real(r, x), imag(r, x), -2);
}

NodeRef asRealMatrix(Recorder &r, const NodeRef &x) {
  NodeRef turned = elementwise(r, OpKind::Neg, {imag(r, x)});
  NodeRef second = inTurns(r, turned, real(r, x), -2);
  return inTurns(r, asRealColumns(r, x), second, -1);
}

NodeRef asRealSymmetric(Recorder &r, const NodeRef &x) {
  int64_t n = x->shape().back();
  NodeRef on = eye(r, DType::I1, n, n, 0);
  NodeRef rest =
      elementwise(r, OpKind::Select, {on, Scalar::of(0.0), imag(r, x)});
  return asRealMatrix(r, complex(r, real(r, x), rest));
}

NodeRef ofRealColumns(Recorder &r, const NodeRef &x) {
  return complex(r, sliceInDim(r, x, -2, 0, openEnd, 2),
                 sliceInDim(r, x, -2, 1, openEnd, 2));
}

NodeRef ofRealMatrix(Recorder &r, const NodeRef &x) {
  return ofRealColumns(r, everyOther(r, x, -1));
}

NodeRef everyOther(Recorder &r, const NodeRef &x, int64_t axis) {
  return sliceInDim(r, x, axis, 0, openEnd, 2);
}

} // namespace tensorc::graph
