//===- MatrixElements.cpp - Arithmetic on matrices in shared memory -------===//
//
// Real and imaginary parts of complex numbers are in separate arrays, so that
// neighbouring rows are in different banks.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/MatrixElements.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value MatrixElements::elementIndex(const SharedMatrix &of, Value i, Value j) {
  return simt::add(kernel, of.base,
                   simt::add(kernel, mul(kernel, i, index(of.stride())), j));
}

MatrixElements::Element MatrixElements::get(const SharedMatrix &of, Value i,
                                            Value j) {
  Value at = elementIndex(of, i, j);
  Element x{memref::LoadOp::create(b, of.memory, at), Value()};
  if (isComplex)
    x.im = memref::LoadOp::create(b, of.imaginary, at);
  return x;
}

void MatrixElements::set(const SharedMatrix &of, Value i, Value j, Element v) {
  Value at = elementIndex(of, i, j);
  memref::StoreOp::create(b, v.re, of.memory, at);
  if (isComplex)
    memref::StoreOp::create(b, v.im, of.imaginary, at);
}

Values MatrixElements::values(Element x) {
  return isComplex ? Values{x.re, x.im} : Values{x.re};
}

//===----------------------------------------------------------------------===//
// Real arithmetic
//===----------------------------------------------------------------------===//

Value MatrixElements::number(double v) {
  return constantOf(b, b.getLoc(), type, v);
}
Value MatrixElements::add(Value x, Value z) {
  return arith::AddFOp::create(b, x, z);
}
Value MatrixElements::multiply(Value x, Value z) {
  return arith::MulFOp::create(b, x, z);
}
Value MatrixElements::divide(Value x, Value z) {
  return arith::DivFOp::create(b, x, z);
}
Value MatrixElements::negated(Value x) { return arith::NegFOp::create(b, x); }
Value MatrixElements::root(Value x) { return math::SqrtOp::create(b, x); }
Value MatrixElements::logarithm(Value x) { return math::LogOp::create(b, x); }
Value MatrixElements::magnitude(Value x) { return math::AbsFOp::create(b, x); }

Value MatrixElements::compare(Predicate predicate, Value x, Value z) {
  return arith::CmpFOp::create(b, predicate, x, z);
}
Value MatrixElements::isZero(Value x) {
  return compare(Predicate::OEQ, x, number(0));
}
Value MatrixElements::select(Value condition, Value x, Value z) {
  return arith::SelectOp::create(b, condition, x, z);
}
Value MatrixElements::both(Value p, Value q) {
  return arith::AndIOp::create(b, p, q);
}
Value MatrixElements::inverted(Value p) {
  return arith::XOrIOp::create(b, p,
                               arith::ConstantIntOp::create(b, 1, /*width=*/1));
}
Value MatrixElements::larger(Value x, Value z) {
  return select(compare(Predicate::OGT, z, x), z, x);
}
Value MatrixElements::numberOf(Value index) {
  return arith::SIToFPOp::create(
      b, type, arith::IndexCastOp::create(b, b.getI32Type(), index));
}

//===----------------------------------------------------------------------===//
// Complex arithmetic
//===----------------------------------------------------------------------===//

MatrixElements::Element MatrixElements::conjugate(Element x) {
  return {x.re, isComplex ? negated(x.im) : Value()};
}

MatrixElements::Element MatrixElements::negated(Element x) {
  return {negated(x.re), isComplex ? negated(x.im) : Value()};
}

MatrixElements::Element MatrixElements::scaled(Element x, Value by) {
  return {multiply(x.re, by), isComplex ? multiply(x.im, by) : Value()};
}

MatrixElements::Element MatrixElements::divided(Element x, Value by) {
  return {divide(x.re, by), isComplex ? divide(x.im, by) : Value()};
}

MatrixElements::Element MatrixElements::difference(Element x, Element z) {
  auto of = [&](Value p, Value q) -> Value {
    return arith::SubFOp::create(b, p, q);
  };
  return {of(x.re, z.re), isComplex ? of(x.im, z.im) : Value()};
}

MatrixElements::Element MatrixElements::product(Element x, Element z) {
  if (!isComplex)
    return {multiply(x.re, z.re), Value()};
  Element zero{multiply(x.re, z.re), multiply(x.re, z.im)};
  return {math::FmaOp::create(b, negated(x.im), z.im, zero.re),
          math::FmaOp::create(b, x.im, z.re, zero.im)};
}

MatrixElements::Element MatrixElements::lessProduct(Element sum, Element x,
                                                    Element z) {
  Value less = negated(x.re);
  Value re = math::FmaOp::create(b, less, z.re, sum.re);
  if (!isComplex)
    return {re, Value()};
  Value im = math::FmaOp::create(b, less, z.im, sum.im);
  return {math::FmaOp::create(b, x.im, z.im, re),
          math::FmaOp::create(b, negated(x.im), z.re, im)};
}

Value MatrixElements::lessSquare(Value sum, Element x) {
  sum = math::FmaOp::create(b, negated(x.re), x.re, sum);
  return isComplex ? math::FmaOp::create(b, negated(x.im), x.im, sum) : sum;
}

MatrixElements::Element MatrixElements::quotient(Element x, Element by) {
  if (!isComplex)
    return {divide(x.re, by.re), Value()};
  Value maximum = largerPart(by);
  Value scale = divide(number(1), powerBelow(maximum));
  Value isInfinite = compare(Predicate::OEQ, maximum,
                             number(std::numeric_limits<double>::infinity()));
  Value zero = number(0);
  Element z = select(isInfinite, Element{zero, zero}, scaled(by, scale));
  Value square = select(isInfinite, number(1), negated(lessSquare(zero, z)));
  return divided(product(scaled(x, scale), conjugate(z)), square);
}

MatrixElements::Element MatrixElements::select(Value condition, Element x,
                                               Element z) {
  return {select(condition, x.re, z.re),
          isComplex ? select(condition, x.im, z.im) : Value()};
}

Value MatrixElements::largerPart(Element x) {
  Value re = magnitude(x.re);
  return isComplex ? larger(re, magnitude(x.im)) : re;
}

Value MatrixElements::modulus(Element x) {
  return isComplex ? root(negated(lessSquare(number(0), x))) : magnitude(x.re);
}

//===----------------------------------------------------------------------===//
// Powers of two
//===----------------------------------------------------------------------===//

IntegerType MatrixElements::bitsType() {
  return b.getIntegerType(type.getWidth());
}

int64_t MatrixElements::fractionBits() {
  return int64_t(type.getFPMantissaWidth()) - 1;
}

Value MatrixElements::bits(int64_t v) {
  return arith::ConstantIntOp::create(b, bitsType(), v);
}

Value MatrixElements::powerBelow(Value x) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  int64_t infinity = APFloat::getInf(semantics).bitcastToAPInt().getSExtValue();
  double minimum = APFloat::getSmallestNormalized(semantics).convertToDouble();
  Value power = arith::BitcastOp::create(
      b, type,
      arith::AndIOp::create(b, arith::BitcastOp::create(b, bitsType(), x),
                            bits(infinity)));
  power = larger(power, number(minimum));
  Value maximum = number(1 / minimum);
  return select(compare(Predicate::OLT, power, maximum), power, maximum);
}

Value MatrixElements::exponentOf(Value power) {
  Value shifted = arith::ShRUIOp::create(
      b, arith::BitcastOp::create(b, bitsType(), power), bits(fractionBits()));
  int64_t bias = APFloat::semanticsMaxExponent(type.getFloatSemantics());
  return arith::SIToFPOp::create(b, type,
                                 arith::SubIOp::create(b, shifted, bits(bias)));
}

/// Multiplies by 2^exponent in three steps, whose factors are normal numbers.
/// Only the last step whose factor is not 1 may round.
MatrixElements::Element MatrixElements::raised(Element x, Value exponent) {
  int64_t bias = APFloat::semanticsMaxExponent(type.getFloatSemantics());
  Value maximum = number(double(bias - 2)), minimum = number(double(2 - bias));
  for (int step = 0; step < 3; ++step) {
    Value part =
        select(compare(Predicate::OLT, exponent, minimum), minimum, exponent);
    part = select(compare(Predicate::OGT, part, maximum), maximum, part);
    exponent = arith::SubFOp::create(b, exponent, part);
    Value power = arith::ShLIOp::create(
        b,
        arith::AddIOp::create(b, arith::FPToSIOp::create(b, bitsType(), part),
                              bits(bias)),
        bits(fractionBits()));
    x = scaled(x, arith::BitcastOp::create(b, type, power));
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Values MatrixElements::loop(Value lower, Value upper, int64_t step,
                            ValueRange carried,
                            function_ref<Values(Value, ValueRange)> body) {
  return *forStrided(kernel, lower, upper, index(step), carried,
                     [&](Value i, ValueRange values) -> FailureOr<Values> {
                       return body(i, values);
                     });
}

void MatrixElements::each(Value lower, Value upper, int64_t step,
                          function_ref<void(Value)> body) {
  loop(lower, upper, step, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

void MatrixElements::where(Value condition, function_ref<void()> body) {
  (void)when(kernel, condition, [&] { return body(), success(); });
}

} // namespace tensorc::codegen::simt
