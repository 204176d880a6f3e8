//===- FloatBuilder.h - Builds float expressions ----------------*- C++ -*-===//
//
// Builds arith and math ops on one float type, which is f32, f64 or a vector of
// them, and on the integers of the same width that hold the bits. With it, math
// expansions read like the formulas that they implement.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_FLOATBUILDER_H
#define TENSORC_CODEGEN_LOWERING_MATH_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

/// log2(e) = kLog2E + kLog2ETail.
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kLog2ETail = 0x1.777d0ffda0d24p-56;

class FloatBuilder {
public:
  using Value = mlir::Value;

  /// `type` is f32, f64 or a vector of them. `hasScalef` is true if vectors may
  /// use AVX-512's instruction for x * 2^n.
  FloatBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
               bool hasScalef = false);

  bool isDouble() const { return width == 64; }
  mlir::Type getType() const { return type; }
  mlir::OpBuilder &getBuilder() { return b; }
  mlir::Location getLoc() const { return loc; }
  /// Returns the type of the builder with another element type.
  mlir::Type withElement(mlir::Type element) const;

  // Properties of the format.
  int mantissaBits() const { return isDouble() ? 52 : 23; }
  int exponentBias() const { return isDouble() ? 1023 : 127; }
  double minNormal() const { return isDouble() ? 0x1p-1022 : 0x1p-126; }
  /// Returns 1.5 * 2^mantissaBits. Adding it to a float rounds that to an
  /// integer, which is then in the low bits of the sum.
  double roundingMagic() const { return isDouble() ? 0x1.8p52 : 0x1.8p23; }

  // Constants.
  Value f(double value);
  Value i(int64_t value);
  Value inf();
  Value nan();

  // Float operations, each of which rounds.
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  /// Returns x * y + z. On targets without FMA, the product may be rounded.
  Value mulAdd(Value x, Value y, Value z);
  Value neg(Value x);
  Value abs(Value x);
  Value sqrt(Value x);
  Value trunc(Value x);
  Value copysign(Value magnitude, Value sign);
  bool canScale() const { return scalefLanes != 0; }
  /// Returns x * 2^n for an integral n of any magnitude, with one rounding.
  /// Requires canScale().
  Value scale(Value x, Value n);
  /// Evaluates a polynomial by Horner's rule, with FMAs if the target has them.
  /// Coefficients are in the order of increasing degree.
  Value poly(Value x, llvm::ArrayRef<double> coefficients);
  /// Like `poly`, but evaluates even and odd powers in parallel. This halves
  /// the length of the dependency chain and adds about 0.1 ulp of error.
  Value polyByHalves(Value x, llvm::ArrayRef<double> coefficients);
  /// Return max(x, low) and min(x, high), or NaN if x is NaN.
  Value atLeast(Value x, double low);
  Value atMost(Value x, double high);

  // Ordered comparisons (false for NaN), and the unordered test.
  Value lt(Value x, Value y);
  Value le(Value x, Value y);
  Value gt(Value x, Value y);
  Value ge(Value x, Value y);
  Value eq(Value x, Value y);
  Value isNaN(Value x);

  // Operations on integers of the float's width.
  Value bits(Value x);
  Value fromBits(Value x);
  Value iadd(Value x, Value y);
  Value isub(Value x, Value y);
  Value iand(Value x, Value y);
  Value ior(Value x, Value y);
  Value ixor(Value x, Value y);
  Value shl(Value x, int by);
  Value lshr(Value x, int by);
  Value ashr(Value x, int by);
  Value icmp(mlir::arith::CmpIPredicate predicate, Value x, Value y);
  Value toFloat(Value integer);
  Value toInt(Value x);

  // Selects of floats and integers, and logical operations on conditions.
  Value select(Value condition, Value x, Value y);
  Value both(Value x, Value y);
  Value either(Value x, Value y);

  /// The exact value of x + y or x * y, as an unevaluated sum of two floats.
  struct Pair {
    Value hi, lo;
  };
  /// Requires |x| >= |y| or x = 0.
  Pair fastTwoSum(Value x, Value y);
  Pair twoSum(Value x, Value y);
  Pair twoProduct(Value x, Value y);

private:
  Value compare(mlir::arith::CmpFPredicate predicate, Value x, Value y);
  Value constant(mlir::Type elementType, mlir::Attribute value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;
  mlir::Type intType;
  unsigned width;
  int64_t scalefLanes =
      0; // lanes of one scalef instruction; 0 if there is none
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_FLOATBUILDER_H
