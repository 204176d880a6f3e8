//===- SizeFit.h - Sizes of a recording as polynomials of symbols ---------===//
//
// A function is recorded for several values of its symbolic sizes. Each size
// that it computes (a dim, the start of a slice, the count of a mean) is then
// fitted by a polynomial of degree 2 through the first samples; the last one
// checks it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_SIZEFIT_H
#define TENSORC_COMPILER_SESSION_EXPORT_SIZEFIT_H

#include "ir/shape/Dim.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::exporting {

/// A symbolic size. It is a multiple of `divisor`.
struct NamedSize {
  std::string name;
  int64_t divisor = 1;
};

/// A polynomial whose variables are the symbolic sizes divided by their
/// divisors: a constant plus products of variables with coefficients.
struct Polynomial {
  struct Product {
    int64_t coefficient;
    // One size or two sizes, which may be equal.
    llvm::SmallVector<unsigned, 2> sizes;
  };
  int64_t constant = 0;
  llvm::SmallVector<Product, 2> products;

  bool isConstant() const { return products.empty(); }
};

class SizeFit {
public:
  /// Chooses sizes for the samples, avoiding the sizes `taken`, which other
  /// dims have.
  SizeFit(std::vector<NamedSize> sizes, llvm::ArrayRef<int64_t> taken);

  llvm::ArrayRef<NamedSize> sizes() const { return names; }
  /// The samples, with one value per symbol; a single empty one if there are no
  /// symbols.
  llvm::ArrayRef<std::vector<int64_t>> samples() const { return points; }
  /// Returns the values of a sample, e.g. `n = 211, m = 223`.
  std::string describe(unsigned sample) const;

  /// Returns the polynomial that has the given values at the samples; nullopt
  /// if there is none.
  std::optional<Polynomial> fit(llvm::ArrayRef<int64_t> values) const;

  /// Returns the polynomial as an expression of the symbols. If coefficients
  /// are not multiples of the divisors, the expression contains quotients.
  shape::Dim dim(const Polynomial &value, shape::DimContext &context) const;
  /// Returns the size divided by its divisor, as an expression.
  shape::Dim unit(unsigned size, shape::DimContext &context) const;

private:
  int64_t units(unsigned sample, unsigned size) const {
    return points[sample][size] / names[size].divisor;
  }

  std::vector<NamedSize> names;
  std::vector<std::vector<int64_t>> points;
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_SIZEFIT_H
