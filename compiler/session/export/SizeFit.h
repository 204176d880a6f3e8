//===- SizeFit.h - Sizes of a recording as polynomials of named ones ------===//
//
// A function is recorded for several sizes of its names. What it makes of them,
// a dim, the start of a slice, the count of a mean, is then a polynomial of
// degree 2 through the first samples; the last one checks it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_SIZEFIT_H
#define TENSORC_COMPILER_SESSION_EXPORT_SIZEFIT_H

#include "ir/shape/Dim.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::exporting {

/// A size that only calls know. It is a multiple of `divisor`.
struct NamedSize {
  std::string name;
  int64_t divisor = 1;
};

/// In units of the sizes' divisors: constant + the products of the units times
/// their coefficients.
struct Polynomial {
  struct Product {
    int64_t coefficient;
    llvm::SmallVector<unsigned, 2> sizes; // one or two, maybe twice the same
  };
  int64_t constant = 0;
  llvm::SmallVector<Product, 2> products;

  bool isConstant() const { return products.empty(); }
};

class SizeFit {
public:
  /// No sample has a size of `taken`, which other dims have.
  SizeFit(std::vector<NamedSize> sizes, llvm::ArrayRef<int64_t> taken);

  llvm::ArrayRef<NamedSize> sizes() const { return names; }
  /// Each has one value per name; without names one that is empty.
  llvm::ArrayRef<std::vector<int64_t>> samples() const { return points; }
  /// `n = 211, m = 223`
  std::string describe(unsigned sample) const;

  /// Through a value per sample. None: it is not such a polynomial.
  std::optional<Polynomial> fit(llvm::ArrayRef<int64_t> values) const;

  /// By whole names where the divisors allow, else by quotients.
  shape::Dim dim(const Polynomial &value, shape::DimContext &context) const;
  /// The size in units of its divisor.
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
