//===- MatrixElements.h - Arithmetic on matrices in shared memory ---------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H

#include "codegen/emitters/simt/Grid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simt {

/// A matrix in shared memory. A block has one for each matrix that it processes
/// at once, at index `base`. If `isPadded` is set, the row stride is odd, so
/// that the elements of a column are in different banks.
struct SharedMatrix {
  int64_t rows = 0, columns = 0;
  bool isPadded = true;
  mlir::Value memory, imaginary, base;

  int64_t stride() const { return isPadded ? columns | 1 : columns; }
  int64_t elements() const { return rows * stride(); }
};

/// Emits real or complex arithmetic on single elements, and loops with such
/// bodies.
class MatrixElements {
public:
  MatrixElements(KernelBuilder &kernel, mlir::FloatType type, bool isComplex)
      : kernel(kernel), b(kernel.b), type(type), isComplex(isComplex) {}

protected:
  /// An element. `im` is null if the type is real.
  struct Element {
    mlir::Value re, im;
  };
  using Predicate = mlir::arith::CmpFPredicate;

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  mlir::FloatType type;
  bool isComplex;

  mlir::Value elementIndex(const SharedMatrix &of, mlir::Value i,
                           mlir::Value j);
  Element get(const SharedMatrix &of, mlir::Value i, mlir::Value j);
  void set(const SharedMatrix &of, mlir::Value i, mlir::Value j, Element v);

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value number(double v);
  Element ofReal(mlir::Value v) {
    return {v, isComplex ? number(0) : mlir::Value()};
  }
  Element ofNumber(double v) { return ofReal(number(v)); }

  /// Convert an element to loop-carried values, and back.
  Values values(Element x);
  Element elementOf(mlir::ValueRange values) {
    return {values[0], isComplex ? values[1] : mlir::Value()};
  }

  Element conjugate(Element x);
  Element negated(Element x);
  Element scaled(Element x, mlir::Value by);
  Element divided(Element x, mlir::Value by);
  Element difference(Element x, Element z);
  Element product(Element x, Element z);
  /// Returns sum - x * z. Real numbers use a single FMA.
  Element lessProduct(Element sum, Element x, Element z);
  /// Returns sum - |x|^2.
  mlir::Value lessSquare(mlir::Value sum, Element x);
  /// Returns x / by. The operands are scaled by a power of two, so that squares
  /// neither overflow nor underflow. A finite number divided by an infinite one
  /// is 0.
  Element quotient(Element x, Element by);
  Element select(mlir::Value condition, Element x, Element z);

  mlir::Value add(mlir::Value x, mlir::Value z);
  mlir::Value multiply(mlir::Value x, mlir::Value z);
  mlir::Value divide(mlir::Value x, mlir::Value z);
  mlir::Value negated(mlir::Value x);
  mlir::Value root(mlir::Value x);
  mlir::Value logarithm(mlir::Value x);
  mlir::Value magnitude(mlir::Value x);
  /// Returns max(|re|, |im|).
  mlir::Value largerPart(Element x);
  /// Returns |x|. Requires parts whose squares neither overflow nor underflow.
  mlir::Value modulus(Element x);
  /// Returns the larger of x and z, or x if z is NaN.
  mlir::Value larger(mlir::Value x, mlir::Value z);
  mlir::Value compare(Predicate predicate, mlir::Value x, mlir::Value z);
  mlir::Value isZero(mlir::Value x);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value z);
  mlir::Value both(mlir::Value p, mlir::Value q);
  mlir::Value inverted(mlir::Value p);
  mlir::Value isBelow(mlir::Value i, mlir::Value j) {
    return less(kernel, i, j);
  }
  mlir::Value numberOf(mlir::Value index);

  /// Returns the largest power of two that is at most x >= 0, clamped so that
  /// the power and its inverse are normal numbers.
  mlir::Value powerBelow(mlir::Value x);
  /// Returns e for the power of two 2^e, as a float.
  mlir::Value exponentOf(mlir::Value power);
  /// Returns x * 2^exponent for an integral `exponent`. x must not be
  /// subnormal.
  Element raised(Element x, mlir::Value exponent);

  // Loops and branches whose bodies cannot fail.
  Values loop(mlir::Value lower, mlir::Value upper, int64_t step,
              mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  void each(mlir::Value lower, mlir::Value upper, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void where(mlir::Value condition, llvm::function_ref<void()> body);

private:
  /// Integer type of the float type's width, and number of bits of its
  /// fraction.
  mlir::IntegerType bitsType();
  int64_t fractionBits();
  mlir::Value bits(int64_t v);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H
