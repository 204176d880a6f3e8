//===- ScanOps.cpp - Scans and sorting ------------------------------------===//

#include "ir/reference/Complex.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace tensorc::reference {

/// Calls `fn(positions of a row's elements)` for each row along the dim.
template <typename Fn>
static void forEachRow(const Array &x, int64_t dim, Fn fn) {
  int64_t count = x.shape[dim], stride = stridesOf(x.shape)[dim];
  std::vector<int64_t> row(count);
  forEachIndex(x.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    if (at[dim] != 0)
      return;
    for (int64_t i = 0; i < count; ++i)
      row[i] = position + i * stride;
    fn(row);
  });
}

/// Returns, for each position, the combination of the values up to it.
template <typename T, typename Fn>
static std::vector<T> scanned(Operation *op, const Array &x,
                              const std::vector<T> &values, T neutral,
                              Fn combine) {
  int64_t dim = op->getAttrOfType<IntegerAttr>("dim").getInt();
  bool reverse = op->hasAttr("reverse"), exclusive = op->hasAttr("exclusive");
  std::vector<T> out(values.size());
  forEachRow(x, dim, [&](std::vector<int64_t> &row) {
    if (reverse)
      std::reverse(row.begin(), row.end());
    T before = neutral;
    for (int64_t at : row) {
      // The first element is not combined with the neutral element, because 0 +
      // -0 would be 0.
      bool isFirst = at == row.front() && !exclusive;
      T after = isFirst ? values[at] : combine(before, values[at]);
      out[at] = exclusive ? before : after;
      before = after;
    }
    if (reverse)
      std::reverse(row.begin(), row.end());
  });
  return out;
}

template <typename Wide>
static void scanAs(Operation *op, const Array &x, Array &result) {
  auto [neutral, combine] = combineOf<Wide>(op, x.dtype);
  write<Wide>(result, scanned(op, x, read<Wide>(x), neutral, combine));
}

static void scanComplex(Operation *op, const Array &x, Array &result) {
  bool isSum = isa<tx::CumsumOp>(op);
  auto combine = [&](Complex a, Complex b) {
    return isSum ? a + b : productOf(a, b);
  };
  writeComplex(result,
               scanned(op, x, readComplex(x), Complex(isSum ? 0 : 1), combine));
}

void scan(Operation *op, const Array &x, Array &result) {
  if (tx::isComplex(x.dtype))
    return scanComplex(op, x, result);
  if (isFloat(x.dtype))
    return scanAs<double>(op, x, result);
  if (isUnsigned(x.dtype) || x.dtype == DType::I1)
    return scanAs<uint64_t>(op, x, result);
  scanAs<int64_t>(op, x, result);
}

template <typename Wide>
static void sortAs(int64_t dim, bool descending, bool indices, const Array &x,
                   Array &result) {
  std::vector<Wide> values = read<Wide>(x), out(values.size());
  std::vector<int64_t> places(values.size());
  // NaN is greater than all numbers.
  auto below = [](Wide a, Wide b) { return a < b || (b != b && a == a); };
  forEachRow(x, dim, [&](const std::vector<int64_t> &row) {
    std::vector<int64_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t i, int64_t j) {
      Wide a = values[row[i]], b = values[row[j]];
      if (descending)
        std::swap(a, b);
      return below(a, b) || (!below(b, a) && i < j);
    });
    for (auto [at, from] : llvm::zip(row, order)) {
      out[at] = values[row[from]];
      places[at] = from;
    }
  });
  if (indices)
    write<int64_t>(result, places);
  else
    write<Wide>(result, out);
}

static void sort(int64_t dim, bool descending, bool indices, const Array &x,
                 Array &result) {
  if (isFloat(x.dtype))
    return sortAs<double>(dim, descending, indices, x, result);
  if (isUnsigned(x.dtype))
    return sortAs<uint64_t>(dim, descending, indices, x, result);
  sortAs<int64_t>(dim, descending, indices, x, result);
}

void addScanOps(OpTable &table) {
  table.add<tx::SortOp>([](tx::SortOp op, Operands x, Array &result) {
    sort(op.getDim(), op.getDescending(), /*indices=*/false, *x[0], result);
  });
  table.add<tx::ArgsortOp>([](tx::ArgsortOp op, Operands x, Array &result) {
    sort(op.getDim(), op.getDescending(), /*indices=*/true, *x[0], result);
  });
}

} // namespace tensorc::reference
