//===- MatrixElements.h - Elements of matrices in shared memory -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H

#include "codegen/emitters/simt/Grid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tensorc::codegen::simt {

/// A matrix in shared memory, for each slot of a block. Rows are an odd number
/// of elements apart, so that those of a column are in different banks.
struct SharedMatrix {
  int64_t rows = 0, columns = 0;
  mlir::Value memory, imaginary, base;

  int64_t stride() const { return columns | 1; }
  int64_t elements() const { return rows * stride(); }
};

/// Real or complex arithmetic on single elements, and loops around it.
class MatrixElements {
public:
  MatrixElements(KernelBuilder &kernel, mlir::FloatType type, bool isComplex)
      : kernel(kernel), b(kernel.b), type(type), isComplex(isComplex) {}

protected:
  /// `im` is null of a real one.
  struct Element {
    mlir::Value re, im;
  };
  using Predicate = mlir::arith::CmpFPredicate;

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  mlir::FloatType type;
  bool isComplex;

  mlir::Value place(const SharedMatrix &of, mlir::Value i, mlir::Value j);
  Element get(const SharedMatrix &of, mlir::Value i, mlir::Value j);
  void set(const SharedMatrix &of, mlir::Value i, mlir::Value j, Element v);

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value number(double v);
  Element ofReal(mlir::Value v) {
    return {v, isComplex ? number(0) : mlir::Value()};
  }
  Element ofNumber(double v) { return ofReal(number(v)); }

  /// An element as values that a loop carries, and back.
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
  /// sum - x z; of real numbers rounded once.
  Element lessProduct(Element sum, Element x, Element z);
  /// sum - |x|^2.
  mlir::Value lessSquare(mlir::Value sum, Element x);
  /// x / by; by a power of two scaled so that squares neither overflow nor
  /// vanish. A finite number over an infinite one is 0.
  Element quotient(Element x, Element by);
  Element select(mlir::Value condition, Element x, Element z);

  mlir::Value add(mlir::Value x, mlir::Value z);
  mlir::Value multiply(mlir::Value x, mlir::Value z);
  mlir::Value divide(mlir::Value x, mlir::Value z);
  mlir::Value negated(mlir::Value x);
  mlir::Value root(mlir::Value x);
  mlir::Value logarithm(mlir::Value x);
  mlir::Value magnitude(mlir::Value x);
  /// The larger magnitude of both parts.
  mlir::Value largerPart(Element x);
  /// Of parts whose squares neither overflow nor vanish.
  mlir::Value modulus(Element x);
  /// The larger one, or the first where the second is NaN.
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

  /// The power of two at or below x >= 0, as far as it and its inverse are
  /// normal.
  mlir::Value powerBelow(mlir::Value x);
  /// The e of a power 2^e, as a number.
  mlir::Value exponentOf(mlir::Value power);
  /// x 2^exponent of a whole number; x is not small.
  Element raised(Element x, mlir::Value exponent);

  // Loops and branches whose bodies cannot fail.
  Values loop(mlir::Value lower, mlir::Value upper, int64_t step,
              mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  void each(mlir::Value lower, mlir::Value upper, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void where(mlir::Value condition, llvm::function_ref<void()> body);

private:
  /// Bits of the numbers, and of which those of the fraction.
  mlir::IntegerType bitsType();
  int64_t fractionBits();
  mlir::Value bits(int64_t v);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXELEMENTS_H
