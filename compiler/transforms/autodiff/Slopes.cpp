//===- Slopes.cpp - Derivatives of special functions by shape parameters --===//

#include "compiler/transforms/autodiff/Slopes.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

using builder::DType;
using builder::TensorBuilder;

/// Returns the derivative at a > 0 of a function that varies on the scale of a
/// or sqrt(a), whichever is less. Combines central differences with steps h and
/// 2 h so that their errors of order h^2 cancel.
static Value slopeAt(TensorBuilder &b, Value a,
                     function_ref<Value(Value)> function) {
  Value step = b.div(b.mul(a, 3e-4), b.sqrt(b.add(a, 1.0)));
  // The rounded points are not exactly 2 `half` apart.
  auto difference = [&](Value half) {
    Value high = b.add(a, half), low = b.sub(a, half);
    return b.div(b.sub(function(high), function(low)), b.sub(high, low));
  };
  Value near = difference(step), far = difference(b.mul(step, 2.0));
  return b.add(near, b.div(b.sub(near, far), 3.0));
}

Value gammaincSlope(TensorBuilder &b, Value of, Value at) {
  Value a = b.convert(of, DType::F64), x = b.convert(at, DType::F64);
  // Differentiates the smaller of the two complementary functions, so that the
  // rounding error of the larger one does not enter.
  Value lower =
      slopeAt(b, a, [&](Value a) { return b.map<tx::GammaincOp>({a, x}); });
  Value upper =
      slopeAt(b, a, [&](Value a) { return b.map<tx::GammainccOp>({a, x}); });
  return b.convertLike(b.select(b.less(x, a), lower, b.neg(upper)), of);
}

Value betaincSlope(TensorBuilder &b, Value first, Value second, Value at) {
  Value a = b.convert(first, DType::F64), c = b.convert(second, DType::F64);
  Value x = b.convert(at, DType::F64), rest = b.sub(1.0, x);
  Value lower =
      slopeAt(b, a, [&](Value a) { return b.map<tx::BetaincOp>({a, c, x}); });
  Value upper = slopeAt(
      b, a, [&](Value a) { return b.map<tx::BetaincOp>({c, a, rest}); });
  Value isLower = b.less(b.mul(x, b.add(a, c)), a);
  return b.convertLike(b.select(isLower, lower, b.neg(upper)), first);
}

} // namespace tensorc::compiler::autodiff
