//===- ComplexMath.h - Functions of complex numbers -----------------------===//
//
// Expands element-wise ops on complex numbers into ops on real and imaginary
// tensors. Special values and branch cuts follow C99, annex G; products and
// quotients follow NumPy. Errors are listed in docs/numerics.md.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_COMPLEXMATH_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_COMPLEXMATH_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::compiler {

/// The real and imaginary parts of a tensor, of one shape and dtype (f32 or
/// f64).
struct Planes {
  mlir::Value re, im;
};

class ComplexMath {
public:
  explicit ComplexMath(builder::TensorBuilder &e) : e(e) {}

  /// Emits the element-wise op `op` on complex operands, as ops on real and
  /// imaginary parts. Returns nullopt if it is undefined for complex numbers or
  /// its result is not complex.
  std::optional<Planes> map(llvm::StringRef op, llvm::ArrayRef<Planes> x);
  /// Like `map`, for an op whose result is i1.
  mlir::Value test(llvm::StringRef op, llvm::ArrayRef<Planes> x);

  Planes mul(Planes x, Planes y);

private:
  builder::TensorBuilder &e;

  using Value = mlir::Value;
  using In = builder::In;

  Planes neg(Planes z) { return {e.neg(z.re), e.neg(z.im)}; }
  /// Return i z and -i z.
  Planes timesI(Planes z) { return {e.neg(z.im), z.re}; }
  Planes timesMinusI(Planes z) { return {z.im, e.neg(z.re)}; }
  Planes scaled(Planes z, double factor) {
    return {e.mul(z.re, factor), e.mul(z.im, factor)};
  }
  Planes plusOne(Planes z) { return {e.add(z.re, 1.0), z.im}; }
  Planes choose(Value where, Planes x, Planes y) {
    return {e.select(where, x.re, y.re), e.select(where, x.im, y.im)};
  }

  Planes div(Planes x, Planes y);
  Planes sign(Planes z);
  Planes exp(Planes z);
  Planes expm1(Planes z);
  std::pair<Value, Value> square(Value x);
  Value addSquares(Value x, Value y, llvm::function_ref<Value(Value)> rest);
  Planes log(Planes z);
  Planes log1p(Planes z);
  Planes sqrt(Planes z);
  Planes pow(Planes x, Planes y);
  std::optional<Planes> wholePower(Planes x, Planes y);
  Planes sin(Planes z);
  Planes sinh(Planes z);
  Planes cosh(Planes z);
  Planes tanh(Planes z);
  Planes asinh(Planes z);
  Planes acos(Planes z);
  Planes acosh(Planes z);
  Planes atanh(Planes z);

  Value sin(In x) { return e.map<tx::SinOp>({x}); }
  Value cos(In x) { return e.map<tx::CosOp>({x}); }
  Value atan2(In y, In x) { return e.map<tx::Atan2Op>({y, x}); }
  Value hypot(In x, In y) { return e.map<tx::HypotOp>({x, y}); }
  Value copysign(In x, In sign) { return e.map<tx::CopysignOp>({x, sign}); }
  Value both(Value p, Value q) { return e.map<tx::AndOp>({p, q}); }
  Value either(Value p, Value q) { return e.map<tx::OrOp>({p, q}); }
  Value isNot(Value p) { return e.map<tx::NotOp>({p}); }
  Value isNan(Value x) { return e.test<tx::IsNanOp>({x}); }
  Value isInf(Value x) { return e.test<tx::IsInfOp>({x}); }
  Value isFinite(Value x) { return e.test<tx::IsFiniteOp>({x}); }
  Value isZero(Value x) { return e.equal(x, 0.0); }
  Value like(double number, Value x) {
    return e.full(number, builder::dtypeOf(x), builder::dimsOf(x));
  }
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_COMPLEX_COMPLEXMATH_H
