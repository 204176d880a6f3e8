//===- Magnitudes.cpp - Whether products of bf16 can be subnormal ---------===//

#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// The magnitude of the smallest normal bf16.
static constexpr int64_t minNormal = 0x7f;
/// Minimum sum of two biased exponents for which no bit of the product is
/// subnormal: (ex - 127 - 7) + (ey - 127 - 7) >= -126.
static constexpr int64_t minExponents = 142;
static constexpr int64_t fractionBits = 7;

Value magnitudesOf(ImplicitLocOpBuilder &b, Value words) {
  int64_t lanes = 2 * cast<VectorType>(words.getType()).getNumElements();
  auto type = VectorType::get({lanes}, b.getI16Type());
  auto splat = [&](int64_t value) {
    return constantOf(b, b.getLoc(), type, value);
  };
  return arith::SubIOp::create(
      b,
      arith::AndIOp::create(b, vector::BitCastOp::create(b, type, words),
                            splat(0x7fff)),
      splat(1));
}

Value smallestOf(ImplicitLocOpBuilder &b, Value magnitudes) {
  return arith::ExtUIOp::create(
      b, b.getI32Type(),
      vector::ReductionOp::create(b, vector::CombiningKind::MINUI, magnitudes));
}

Value areNormal(ImplicitLocOpBuilder &b, Value smallestOfX, Value smallestOfY) {
  auto i32 = [&](int64_t value) {
    return constantOf(b, b.getLoc(), b.getI32Type(), value);
  };
  auto exponent = [&](Value magnitude) -> Value {
    return arith::ShRUIOp::create(
        b, arith::AddIOp::create(b, magnitude, i32(1)), i32(fractionBits));
  };
  auto isAtLeast = [&](Value v, int64_t minimum) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, v, i32(minimum));
  };
  Value sum =
      arith::AddIOp::create(b, exponent(smallestOfX), exponent(smallestOfY));
  return arith::AndIOp::create(
      b, isAtLeast(sum, minExponents),
      isAtLeast(arith::MinUIOp::create(b, smallestOfX, smallestOfY),
                minNormal));
}

Value halvesOf(ImplicitLocOpBuilder &b, Value words, bool higher) {
  Type type = words.getType();
  Value bits =
      higher ? Value(arith::AndIOp::create(
                   b, words, constantOf(b, b.getLoc(), type, -double(1 << 16))))
             : Value(arith::ShLIOp::create(
                   b, words, constantOf(b, b.getLoc(), type, 16)));
  return arith::BitcastOp::create(
      b, cast<VectorType>(type).clone(b.getF32Type()), bits);
}

} // namespace tensorc::codegen::simd
