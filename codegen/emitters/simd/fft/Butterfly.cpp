//===- Butterfly.cpp - Small Fourier transforms in registers --------------===//

#include "codegen/emitters/simd/fft/Butterfly.h"

#include "ir/fourier/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simd {

Value Butterfly::add(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}
Value Butterfly::sub(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}
Value Butterfly::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}

Value Butterfly::multiplyAdd(Value x, Value y, Value z) {
  return hasFma ? Value(vector::FMAOp::create(b, x, y, z)) : add(mul(x, y), z);
}

Value Butterfly::multiplySub(Value x, Value y, Value z) {
  if (!hasFma)
    return sub(mul(x, y), z);
  return vector::FMAOp::create(b, x, y, arith::NegFOp::create(b, z));
}

Value Butterfly::splat(Type type, double value) {
  Type element = cast<VectorType>(type).getElementType();
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(type),
                                Attribute(b.getFloatAttr(element, value))));
}

Value Butterfly::scale(Value x, double factor) {
  return mul(x, splat(x.getType(), factor));
}

Complex Butterfly::multiply(Complex x, Complex y) {
  return {multiplySub(x.re, y.re, mul(x.im, y.im)),
          multiplyAdd(x.re, y.im, mul(x.im, y.re))};
}

Complex Butterfly::subTimesI(Complex x, Complex y) {
  return {add(x.re, y.im), sub(x.im, y.re)};
}
Complex Butterfly::addTimesI(Complex x, Complex y) {
  return {sub(x.re, y.im), add(x.im, y.re)};
}

SmallVector<Complex> Butterfly::four(ArrayRef<Complex> x) {
  Complex even = add(x[0], x[2]), evenLess = sub(x[0], x[2]);
  Complex odd = add(x[1], x[3]), oddLess = sub(x[1], x[3]);
  return {add(even, odd), subTimesI(evenLess, oddLess), sub(even, odd),
          addTimesI(evenLess, oddLess)};
}

SmallVector<Complex> Butterfly::eight(ArrayRef<Complex> x) {
  SmallVector<Complex> even = four({x[0], x[2], x[4], x[6]});
  SmallVector<Complex> odd = four({x[1], x[3], x[5], x[7]});
  // Multiplies odd[1] by (1 - i) / sqrt(2), and odd[3] by (-1 - i) / sqrt(2).
  constexpr double half = 0.70710678118654752440;
  Complex first = odd[1], third = odd[3];
  odd[1] = {scale(add(first.re, first.im), half),
            scale(sub(first.im, first.re), half)};
  odd[3] = {scale(sub(third.im, third.re), half),
            scale(add(third.re, third.im), -half)};
  return {add(even[0], odd[0]),       add(even[1], odd[1]),
          subTimesI(even[2], odd[2]), add(even[3], odd[3]),
          sub(even[0], odd[0]),       sub(even[1], odd[1]),
          addTimesI(even[2], odd[2]), sub(even[3], odd[3])};
}

/// Emits a transform of odd length. The factors of elements k and n - k have
/// the same cosine and opposite sines, so sums and differences of these
/// elements are computed once.
SmallVector<Complex> Butterfly::odd(ArrayRef<Complex> x) {
  auto n = static_cast<int64_t>(x.size());
  SmallVector<Complex> sums{x[0]}, differences{x[0]};
  Complex total = x[0];
  for (int64_t k = 1; k <= n / 2; ++k) {
    sums.push_back(add(x[k], x[n - k]));
    differences.push_back(sub(x[k], x[n - k]));
    total = add(total, sums.back());
  }
  SmallVector<Complex> result(n);
  result[0] = total;
  for (int64_t j = 1; j <= n / 2; ++j) {
    Complex even = x[0], odd;
    for (int64_t k = 1; k <= n / 2; ++k) {
      std::complex<double> w = fourier::root(j * k % n, n);
      Value c = splat(even.re.getType(), w.real());
      Value s = splat(even.re.getType(), -w.imag());
      even = {multiplyAdd(sums[k].re, c, even.re),
              multiplyAdd(sums[k].im, c, even.im)};
      odd = k == 1
                ? Complex{mul(differences[k].re, s), mul(differences[k].im, s)}
                : Complex{multiplyAdd(differences[k].re, s, odd.re),
                          multiplyAdd(differences[k].im, s, odd.im)};
    }
    result[j] = subTimesI(even, odd);
    result[n - j] = addTimesI(even, odd);
  }
  return result;
}

SmallVector<Complex> Butterfly::transform(ArrayRef<Complex> x) {
  switch (x.size()) {
  case 2:
    return {add(x[0], x[1]), sub(x[0], x[1])};
  case 4:
    return four(x);
  case 8:
    return eight(x);
  default:
    return odd(x);
  }
}

} // namespace tensorc::codegen::simd
