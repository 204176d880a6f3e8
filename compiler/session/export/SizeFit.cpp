//===- SizeFit.cpp - Sizes of a recording as polynomials of symbols -------===//

#include "compiler/session/export/SizeFit.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::exporting {

using shape::Dim;
using Wide = __int128;

/// Returns the smallest prime from `from` on. Other dims are unlikely to have
/// this size.
static int64_t nextPrime(int64_t from) {
  auto isPrime = [](int64_t number) {
    for (int64_t d = 2; d * d <= number; ++d)
      if (number % d == 0)
        return false;
    return true;
  };
  while (!isPrime(from))
    ++from;
  return from;
}

SizeFit::SizeFit(std::vector<NamedSize> sizes, llvm::ArrayRef<int64_t> taken)
    : names(std::move(sizes)) {
  unsigned count = names.size();
  int64_t last = 100;
  // Four rows with one value per symbol. All values are different.
  std::vector<int64_t> values[4];
  for (auto &row : values)
    for (const NamedSize &size : names) {
      do
        last = nextPrime(last + 1);
      while (llvm::is_contained(taken, last * size.divisor));
      row.push_back(last * size.divisor);
    }
  points.push_back(values[0]);
  auto add = [&](std::initializer_list<std::pair<unsigned, unsigned>> changes) {
    points.push_back(values[0]);
    for (auto [name, row] : changes)
      points.back()[name] = values[row][name];
  };
  for (unsigned i = 0; i < count; ++i) {
    add({{i, 1}});
    add({{i, 2}});
  }
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      add({{i, 1}, {j, 1}});
  if (count)
    points.push_back(values[3]);
}

std::string SizeFit::describe(unsigned sample) const {
  std::string text;
  for (auto [size, value] : llvm::zip(names, points[sample]))
    text +=
        (text.empty() ? "" : ", ") + size.name + " = " + std::to_string(value);
  return text;
}

/// Divides; returns false if there is a remainder.
static bool divide(Wide &value, Wide by) {
  bool exact = value % by == 0;
  value /= by;
  return exact;
}

std::optional<Polynomial> SizeFit::fit(llvm::ArrayRef<int64_t> values) const {
  Polynomial result;
  result.constant = values[0];
  if (llvm::all_equal(values))
    return result;
  unsigned count = names.size();
  auto unit = [&](unsigned sample, unsigned size) {
    return Wide(units(sample, size));
  };
  auto add = [&](Wide coefficient, llvm::ArrayRef<unsigned> sizes) {
    if (coefficient != 0)
      result.products.push_back(
          {static_cast<int64_t>(coefficient),
           llvm::SmallVector<unsigned, 2>(sizes.begin(), sizes.end())});
  };
  // First finds the coefficients of products of two symbols, then those of a
  // single symbol and its square.
  std::vector<Wide> mixed(count,
                          // Contributions of the mixed terms to a symbol's
                          // slope.
                          0);
  unsigned sample = 1 + 2 * count;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j, ++sample) {
      Wide both = Wide(values[sample]) - values[1 + 2 * i] - values[1 + 2 * j] +
                  values[0];
      if (!divide(both, unit(1 + 2 * i, i) - unit(0, i)) ||
          !divide(both, unit(1 + 2 * j, j) - unit(0, j)))
        return std::nullopt;
      add(both, {i, j});
      mixed[i] += both * unit(0, j);
      mixed[j] += both * unit(0, i);
    }
  for (unsigned i = 0; i < count; ++i) {
    Wide u0 = unit(0, i), u1 = unit(1 + 2 * i, i), u2 = unit(2 + 2 * i, i);
    Wide first = Wide(values[1 + 2 * i]) - values[0];
    Wide second = Wide(values[2 + 2 * i]) - values[0];
    if (!divide(first, u1 - u0) || !divide(second, u2 - u0))
      return std::nullopt;
    Wide square = second - first;
    if (!divide(square, u2 - u1))
      return std::nullopt;
    add(square, {i, i});
    add(first - square * (u0 + u1) - mixed[i], {i});
  }
  auto at = [&](unsigned sample) {
    Wide sum = 0;
    for (const Polynomial::Product &product : result.products) {
      Wide one = product.coefficient;
      for (unsigned size : product.sizes)
        one *= unit(sample, size);
      sum += one;
    }
    return sum;
  };
  Wide constant = Wide(values[0]) - at(0);
  result.constant = static_cast<int64_t>(constant);
  if (result.constant != constant ||
      constant + at(points.size() - 1) != Wide(values[points.size() - 1]))
    return std::nullopt;
  return result;
}

Dim SizeFit::unit(unsigned size, shape::DimContext &context) const {
  return shape::floorDiv(context.symbol(names[size].name), names[size].divisor);
}

Dim SizeFit::dim(const Polynomial &value, shape::DimContext &context) const {
  Dim sum = value.constant;
  for (const Polynomial::Product &product : value.products) {
    int64_t coefficient = product.coefficient;
    Dim one = 1;
    for (unsigned size : product.sizes) {
      bool whole = coefficient % names[size].divisor == 0;
      one = one *
            (whole ? context.symbol(names[size].name) : unit(size, context));
      if (whole)
        coefficient /= names[size].divisor;
    }
    sum = sum + one * coefficient;
  }
  return sum;
}

} // namespace tensorc::exporting
