//===- FakeQuantize.cpp - Quantization with a gradient --------------------===//

#include "compiler/session/derive/FakeQuantize.h"
#include "compiler/session/derive/ControlFlow.h"

namespace tensorc::derive {

using namespace graph;

NodeRef fakeQuantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                     const NodeRef &zeroPoint, int64_t low, int64_t high,
                     int64_t axis) {
  const char *name = "fake_quantize";
  if (!needFloat(r, name, x) || !needFloat(r, name, scale))
    return {};
  if (low > high)
    return r.fail(name, "no integers from " + llvm::Twine(low) + " to " +
                            llvm::Twine(high));
  auto make = [&](OpKind op, std::initializer_list<Operand> operands) {
    return elementwise(
        r, op, llvm::ArrayRef<Operand>(operands.begin(), operands.size()));
  };
  DType wide = wideOf(x->dtype());
  NodeRef factor = astype(r, scaleAlong(r, name, x, scale, axis), wide);
  NodeRef zero = zeroPoint
                     ? astype(r, scaleAlong(r, name, x, zeroPoint, axis), wide)
                     : full(r, wide, {}, Scalar::of(0.0));
  NodeRef fixed = astype(r, stopGradient(r, x), wide);
  NodeRef rounded = make(
      OpKind::Add,
      {make(OpKind::RoundEven, {make(OpKind::Div, {fixed, factor})}), zero});
  NodeRef kept = make(OpKind::Clamp, {Scalar::of(double(low)), rounded,
                                      Scalar::of(double(high))});
  NodeRef value =
      astype(r, make(OpKind::Mul, {make(OpKind::Sub, {kept, zero}), factor}),
             x->dtype());
  // Subtracts a difference that is 0 and carries the gradient.
  NodeRef inside = make(OpKind::Eq, {kept, rounded});
  NodeRef through = make(OpKind::Select, {inside, x, Scalar::of(0.0)});
  NodeRef nothing = make(OpKind::Sub, {stopGradient(r, through), through});
  return make(OpKind::Sub, {stopGradient(r, value), nothing});
}

} // namespace tensorc::derive
