//===- SizePolynomial.h - sizes that can be compared ------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_PASSES_SIZEPOLYNOMIAL_H
#define TENSORC_COMPILER_PASSES_SIZEPOLYNOMIAL_H

#include "mlir/IR/Value.h"

#include <map>
#include <optional>
#include <vector>

namespace tensorc::compiler {

/// An i64 as a sum of products of other values: `n * 256 + m * 4`. Two sizes
/// that were computed differently are equal when their polynomials are.
class SizePolynomial {
public:
  static SizePolynomial of(mlir::Value value);

  /// The number, when no value is in it.
  std::optional<int64_t> constant() const;
  /// Whether it is at most `other` for all sizes of the dims. Sound for sizes
  /// that are not negative.
  bool atMost(const SizePolynomial &other) const;
  /// Whether `divisor` divides it for all values.
  bool isMultipleOf(int64_t divisor) const;
  bool operator==(const SizePolynomial &other) const = default;

private:
  /// Products by their factors in a fixed order; the empty one is the constant.
  using Factors = std::vector<void *>;
  std::map<Factors, int64_t> terms;

  static SizePolynomial of(mlir::Value value, unsigned &budget);
  /// None when a count overflows or there are too many terms.
  static std::optional<SizePolynomial> sum(const SizePolynomial &a,
                                           const SizePolynomial &b);
  static std::optional<SizePolynomial> product(const SizePolynomial &a,
                                               const SizePolynomial &b);
};

} // namespace tensorc::compiler

#endif
