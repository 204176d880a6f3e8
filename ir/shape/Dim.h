//===- Dim.h - A size: a number or an expression over named sizes ---------===//
//
// The algebra of sizes, which is used from the recorded graph to the package. A
// Dim has 64 bits. A number is represented by itself, so a list of numbers is a
// list of Dims. An expression is a pointer, encoded as a number that is not a
// valid size. Dims are cheap to copy; making Dims from numbers allocates
// nothing.
//
// Expressions are canonical: each is a sum of integer-weighted products of
// atoms. An atom is a name, or a floordiv, ceildiv, mod, min or max of Dims. A
// DimContext owns the expressions and stores each only once, so equal
// expressions have equal bits. The result of an overflow, or of a division by 0
// or less, is the invalid Dim `none`, and so is every expression that contains
// it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_SHAPE_DIM_H
#define TENSORC_IR_SHAPE_DIM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tensorc::shape {

class DimContext;
struct DimExpr;
struct Term;

enum class DimKind : uint8_t {
  None,
  Number,
  Symbol,
  Sum,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max
};

class Dim {
public:
  constexpr Dim(int64_t number = 0)
      : bits(number < leastNumber ? INT64_MIN : number) {}
  static constexpr Dim none() { return Dim(INT64_MIN); }

  bool isNone() const { return bits == INT64_MIN; }
  bool isNumber() const { return bits >= leastNumber; }
  bool isNumber(int64_t number) const { return isNumber() && bits == number; }
  std::optional<int64_t> number() const {
    return isNumber() ? std::optional(bits) : std::nullopt;
  }
  bool isSymbol() const { return kind() == DimKind::Symbol; }
  DimKind kind() const;
  /// Return the name and the minimum of a symbol.
  llvm::StringRef name() const;
  int64_t least() const;
  /// Returns the operands of a quotient, remainder, minimum or maximum.
  llvm::ArrayRef<Dim> operands() const;
  /// Return the decomposition of a dim (except none) into a sum: the products
  /// that contain names, in printing order, and the constant.
  llvm::ArrayRef<Term> terms() const;
  int64_t constant() const;

  /// True if both are equal for all values of the names. Dims that are not
  /// equal may still have equal values; see mayEqual().
  constexpr bool operator==(Dim other) const { return bits == other.bits; }
  constexpr bool operator!=(Dim other) const { return bits != other.bits; }
  constexpr int64_t opaque() const { return bits; }
  static constexpr Dim fromOpaque(int64_t bits) {
    Dim dim;
    dim.bits = bits;
    return dim;
  }

private:
  friend class DimBuilder;
  /// Smallest number that a Dim can hold. Smaller values encode pointers: the
  /// sign bit, 15 zero bits, and 48 bits of the address.
  static constexpr int64_t leastNumber = INT64_MIN + (int64_t(1) << 48);

  static Dim of(const DimExpr *expr);
  const DimExpr *expr() const {
    return reinterpret_cast<const DimExpr *>(bits & ~INT64_MIN);
  }

  int64_t bits;
};

/// `coefficient` times the product of the factors, which are sorted atoms.
struct Term {
  int64_t coefficient;
  llvm::ArrayRef<Dim> factors;
  bool operator==(const Term &other) const {
    return coefficient == other.coefficient && factors == other.factors;
  }
};

/// The value of `least` for a symbol that may be negative; see
/// DimContext::symbol.
inline constexpr int64_t anyNumber = INT64_MIN;

/// Owns expressions. Dims of two contexts must not be mixed. Thread-safe. The
/// tx dialect of an MLIRContext has a DimContext, and a pass that introduces
/// its own names creates another one. Expressions thus live as long as the
/// program that they describe, and do not accumulate in a long-running process.
class DimContext {
public:
  DimContext();
  ~DimContext();
  DimContext(const DimContext &) = delete;
  DimContext &operator=(const DimContext &) = delete;

  /// Returns the symbol for a named size that is at least `least`. Each name
  /// has one symbol.
  Dim symbol(llvm::StringRef name, int64_t least = 0);

private:
  friend class DimBuilder;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Returns a list of numbers as Dims, without copying.
inline llvm::ArrayRef<Dim> dimsOf(llvm::ArrayRef<int64_t> numbers) {
  static_assert(sizeof(Dim) == sizeof(int64_t));
  return {reinterpret_cast<const Dim *>(numbers.data()), numbers.size()};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace detail {
Dim add(Dim a, Dim b, int64_t factor);
Dim multiply(Dim a, Dim b);
} // namespace detail

inline Dim operator+(Dim a, Dim b) {
  int64_t sum;
  if (a.isNumber() && b.isNumber() &&
      !__builtin_add_overflow(a.opaque(), b.opaque(), &sum))
    return sum;
  return detail::add(a, b, 1);
}
inline Dim operator-(Dim a, Dim b) {
  int64_t difference;
  if (a.isNumber() && b.isNumber() &&
      !__builtin_sub_overflow(a.opaque(), b.opaque(), &difference))
    return difference;
  return detail::add(a, b, -1);
}
inline Dim operator*(Dim a, Dim b) {
  int64_t product;
  if (a.isNumber() && b.isNumber() &&
      !__builtin_mul_overflow(a.opaque(), b.opaque(), &product))
    return product;
  return detail::multiply(a, b);
}
/// Return the quotient, rounded down or up. The divisor must be positive.
Dim floorDiv(Dim a, Dim b);
Dim ceilDiv(Dim a, Dim b);
Dim mod(Dim a, Dim b);
Dim min(Dim a, Dim b);
Dim max(Dim a, Dim b);
Dim sum(llvm::ArrayRef<Dim> dims);
Dim product(llvm::ArrayRef<Dim> dims);

//===----------------------------------------------------------------------===//
// Comparisons for all values of the names. nullopt: it depends on the values,
// or is unknown
//===----------------------------------------------------------------------===//

std::optional<bool> isEqual(Dim a, Dim b);
std::optional<bool> isLess(Dim a, Dim b);
/// Returns whether the positive number divides a; nullopt if that is unknown.
std::optional<bool> divides(int64_t divisor, Dim a);

//===----------------------------------------------------------------------===//
// Evaluation (implemented with the Evaluator of Evaluate.h)
//===----------------------------------------------------------------------===//

enum class DimOp : uint8_t { Add, Mul, FloorDiv, CeilDiv, Mod, Min, Max };

/// Evaluates the dim to a number. Returns nullopt on overflow, for a name
/// without a value, and for none.
std::optional<int64_t>
evaluate(Dim dim,
         llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf);
/// Computes one operation on numbers. Returns nullopt on overflow, or for a
/// divisor that is not positive.
std::optional<int64_t> evaluate(DimOp op, int64_t a, int64_t b);

/// Replaces each symbol by `replacement(symbol)`. The result is none if a
/// replacement is none.
Dim substitute(Dim dim, llvm::function_ref<Dim(Dim)> replacement);
/// Calls the function for each occurrence of a symbol.
void forEachSymbol(Dim dim, llvm::function_ref<void(Dim)> callback);
/// Returns the symbols in alphabetical order without duplicates.
llvm::SmallVector<Dim> symbolsOf(llvm::ArrayRef<Dim> dims);
/// Returns a bound on the absolute values of the expression and of its parts if
/// every name is 1. The bound is a double, which cannot wrap around.
double magnitude(Dim dim);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns a text such as `n * 2 + 1`, or `?` for none.
std::string toString(Dim dim);
/// Returns a text such as `[n, 64]`.
std::string toString(llvm::ArrayRef<Dim> dims);

inline llvm::hash_code hash_value(Dim dim) {
  return llvm::hash_value(dim.opaque());
}

} // namespace tensorc::shape

namespace llvm {
template <> struct DenseMapInfo<tensorc::shape::Dim> {
  using Dim = tensorc::shape::Dim;
  static Dim getEmptyKey() { return Dim::fromOpaque(INT64_MIN + 1); }
  static Dim getTombstoneKey() { return Dim::fromOpaque(INT64_MIN + 2); }
  static unsigned getHashValue(Dim dim) {
    return static_cast<unsigned>(hash_value(dim.opaque()));
  }
  static bool isEqual(Dim a, Dim b) { return a == b; }
};
} // namespace llvm

#endif // TENSORC_IR_SHAPE_DIM_H
