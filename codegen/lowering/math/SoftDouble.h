//===- SoftDouble.h - Emulates f64 arithmetic by integers -------*- C++ -*-===//
//
// For targets without f64. The functions take and return the bits of f64 as
// i64. Results have the bits of IEEE 754 rounded to nearest even, except that
// the bits of a NaN are unspecified.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_SOFTDOUBLE_H
#define TENSORC_CODEGEN_LOWERING_MATH_SOFTDOUBLE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

/// An integer with the unsigned operators of C, and with named functions for
/// signed operations. It emits an op for each operation. The operands of an
/// operation have the same type.
class Word {
public:
  using Builder = mlir::ImplicitLocOpBuilder;

  Word(Builder &b, mlir::Value value) : b(&b), value(value) {}
  mlir::Value get() const { return value; }
  Builder &getBuilder() const { return *b; }

  /// Returns a constant of the same type.
  Word constant(uint64_t bits) const;

  Word operator+(const Word &y) const;
  Word operator-(const Word &y) const;
  Word operator*(const Word &y) const;
  Word operator&(const Word &y) const;
  Word operator|(const Word &y) const;
  Word operator^(const Word &y) const;
  /// Shift amounts must be less than 64.
  Word operator<<(const Word &by) const;
  Word operator>>(const Word &by) const;
  Word shiftSigned(const Word &by) const;
  Word operator+(uint64_t y) const { return *this + constant(y); }
  Word operator-(uint64_t y) const { return *this - constant(y); }
  Word operator&(uint64_t y) const { return *this & constant(y); }
  Word operator|(uint64_t y) const { return *this | constant(y); }
  Word operator^(uint64_t y) const { return *this ^ constant(y); }
  Word operator<<(uint64_t by) const { return *this << constant(by); }
  Word operator>>(uint64_t by) const { return *this >> constant(by); }
  Word shiftSigned(uint64_t by) const { return shiftSigned(constant(by)); }
  Word operator-() const { return constant(0) - *this; }
  Word operator!() const { return *this ^ 1; }

  // Comparisons return an i1.
  Word operator==(const Word &y) const;
  Word operator<(const Word &y) const;
  Word operator==(uint64_t y) const { return *this == constant(y); }
  Word operator!=(uint64_t y) const { return !(*this == y); }
  Word operator<(uint64_t y) const { return *this < constant(y); }
  Word operator>(uint64_t y) const { return constant(y) < *this; }
  Word isLess(const Word &y) const; // signed
  Word isLess(int64_t y) const { return isLess(constant(y)); }
  Word isGreater(int64_t y) const { return constant(y).isLess(*this); }
  Word isNegative() const { return isLess(int64_t(0)); }

  /// Returns x if this i1 is true, else y.
  Word select(const Word &x, const Word &y) const;
  Word select(uint64_t x, const Word &y) const {
    return select(y.constant(x), y);
  }
  Word select(const Word &x, uint64_t y) const {
    return select(x, x.constant(y));
  }

  Word countLeadingZeros() const;
  /// Zero-extends an i1 to this type.
  Word widen(const Word &flag) const;

private:
  Word compare(mlir::arith::CmpIPredicate predicate, const Word &y) const;

  Builder *b;
  mlir::Value value;
};

namespace soft {

Word add(const Word &x, const Word &y);
Word multiply(const Word &x, const Word &y);
Word divide(const Word &x, const Word &y);
Word squareRoot(const Word &x);
/// Returns x * y + z, rounded once.
Word multiplyAdd(const Word &x, const Word &y, const Word &z);

/// Comparisons return an i1, and false if an operand is NaN.
Word isLess(const Word &x, const Word &y);
Word isEqual(const Word &x, const Word &y);
Word isNaN(const Word &x);
/// The result is NaN if an operand is NaN; -0 < +0.
Word maximum(const Word &x, const Word &y);
Word minimum(const Word &x, const Word &y);

enum class Direction { Zero, Down, Up, NearestEven };
Word roundToInteger(const Word &x, Direction direction);

/// Converts the bits of an f32, in the low half of a word, and back.
Word fromSingle(const Word &bits);
Word toSingle(const Word &x);
Word fromInteger(const Word &integer, bool isSigned);
/// Truncates. The result is not specified if it is out of the range of i64 or
/// ui64.
Word toInteger(const Word &x, bool isSigned);

} // namespace soft
} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_SOFTDOUBLE_H
