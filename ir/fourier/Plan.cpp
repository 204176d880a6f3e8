//===- Plan.cpp - Chooses the algorithm of a Fourier transform ------------===//

#include "ir/fourier/Plan.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace tensorc::fourier {

static constexpr int64_t oddRadices[] = {13, 11, 7, 5, 3};
/// Number of vector lanes for which plans are made. A target may have fewer.
static constexpr int64_t lanes = 16;
/// Minimum length of a transform that is computed as a matrix. Kernels for
/// shorter transforms process several rows at once.
static constexpr int64_t shortestMatrix = 256;
/// Maximum length of a row such that several rows fit into a cache.
static constexpr int64_t longestWhole = 4096;
/// Maximum ratio of a matrix's padded size to the number of its elements.
static constexpr double maxPadding = 1.3;

/// Computes the root from an angle of at most an eighth of a turn, for which
/// sine and cosine are accurate.
std::complex<double> root(int64_t k, int64_t n) {
  // The position in eighths of a turn, rounded down: k * 8 / n.
  int64_t eighth = k * 8 / n;
  int64_t quarters = (eighth + 1) / 2;
  // The angle from the nearest quarter turn is (4 k - quarters n) / (4 n)
  // turns.
  double angle = 2 * M_PI * static_cast<double>(4 * k - quarters * n) /
                 (4 * static_cast<double>(n));
  double c = std::cos(angle), s = std::sin(angle);
  switch (quarters % 4) {
  case 0:
    return {c, -s};
  case 1:
    return {-s, -c};
  case 2:
    return {-c, s};
  default:
    return {s, c};
  }
}

static int64_t withoutRadices(int64_t n) {
  for (int64_t radix : oddRadices)
    while (n % radix == 0)
      n /= radix;
  return n >> llvm::countr_zero(static_cast<uint64_t>(n));
}

bool isSmooth(int64_t length) { return withoutRadices(length) == 1; }

Radices radicesOf(int64_t length) {
  Radices radices;
  for (int64_t radix : oddRadices)
    for (; length % radix == 0; length /= radix)
      radices.push_back(radix);
  // Uses radix 8 as often as possible. Two radices of 4 are better than 8 and
  // 2.
  int64_t twos = llvm::countr_zero(static_cast<uint64_t>(length));
  int64_t fours = twos % 3 == 2 ? 1 : twos % 3 == 1 && twos > 1 ? 2 : 0;
  radices.append((twos - 2 * fours) / 3, 8);
  radices.append(fours, 4);
  if (twos == 1)
    radices.push_back(2);
  return radices;
}

int64_t nextFastLength(int64_t length) {
  // Powers of two, and their multiples by 3 and 5, have the fewest steps.
  int64_t best = static_cast<int64_t>(llvm::PowerOf2Ceil(length));
  for (int64_t odd : {3, 5, 9, 15})
    if (int64_t even = llvm::PowerOf2Ceil(llvm::divideCeil(length, odd)) * odd;
        even < best)
      best = even;
  return best;
}

/// Ratio of computed lanes to lanes that hold elements, over both dims, with a
/// small penalty for long thin matrices.
static double wasteOf(int64_t rows, int64_t columns) {
  auto padded = [](int64_t n) {
    return static_cast<double>(llvm::alignTo(n, lanes)) /
           static_cast<double>(n);
  };
  double shape = std::abs(
      std::log2(static_cast<double>(rows) / static_cast<double>(columns)));
  return (padded(rows) + padded(columns)) / 2 + 0.02 * shape;
}

Plan::Plan(int64_t length) : length(length), rows(length), columns(1) {
  if (length < shortestMatrix)
    return;
  double least = length > longestWhole ? 1e9 : maxPadding;
  for (int64_t d = 2; d * d <= length; ++d) {
    if (length % d != 0)
      continue;
    for (int64_t candidate : {d, length / d}) {
      double waste = wasteOf(candidate, length / candidate);
      if (waste >= least)
        continue;
      least = waste;
      rows = candidate;
      columns = length / candidate;
    }
  }
}

/// Number of table entries for all steps: two numbers per root.
static int64_t sizeOfSteps(int64_t length) {
  int64_t count = 0, left = length;
  for (int64_t radix : radicesOf(length)) {
    left /= radix;
    count += left > 1 ? left * (radix - 1) : 0;
  }
  return 2 * count;
}

int64_t Plan::columnTable() const { return sizeOfSteps(rows); }
int64_t Plan::crossTable() const {
  return columnTable() + (isMatrix() ? sizeOfSteps(columns) : 0);
}
int64_t Plan::crossStride() const {
  return static_cast<int64_t>(llvm::alignTo(columns, lanes));
}
int64_t Plan::tableSize() const {
  // The additional root at the end ensures that every table has at least two
  // numbers.
  return crossTable() + (isMatrix() ? 2 * rows * crossStride() : 0) + 2;
}

/// Transforms the n elements x[0], x[stride], .... `roots` are the roots of the
/// whole transform, whose length is n * stride.
static void transformInto(const std::complex<double> *x, int64_t n,
                          int64_t stride,
                          const std::vector<std::complex<double>> &roots,
                          std::complex<double> *out) {
  if (n == 1) {
    *out = *x;
    return;
  }
  int64_t radix = 2;
  while (n % radix != 0)
    ++radix;
  int64_t m = n / radix;
  for (int64_t first = 0; first < radix; ++first)
    transformInto(x + first * stride, m, stride * radix, roots,
                  out + first * m);
  if (radix == 2) { // radix 2 is the most frequent one
    for (int64_t k = 0; k < m; ++k) {
      std::complex<double> x = out[k], y = out[m + k], w = roots[k * stride];
      // Multiplies without std::complex's check for infinities.
      std::complex<double> z(y.real() * w.real() - y.imag() * w.imag(),
                             y.real() * w.imag() + y.imag() * w.real());
      out[k] = x + z;
      out[m + k] = x - z;
    }
    return;
  }
  llvm::SmallVector<std::complex<double>, 8> parts(radix);
  for (int64_t k = 0; k < m; ++k) {
    for (int64_t first = 0; first < radix; ++first)
      parts[first] = out[first * m + k];
    for (int64_t at = k; at < n; at += m) {
      std::complex<double> sum = parts[0];
      for (int64_t first = 1; first < radix; ++first)
        sum += parts[first] * roots[first * at % n * stride];
      out[at] = sum;
    }
  }
}

std::vector<std::complex<double>>
transform(const std::vector<std::complex<double>> &x) {
  auto n = static_cast<int64_t>(x.size());
  // Computes each root only once, because computing sines takes most of the
  // time.
  std::vector<std::complex<double>> roots, out(n);
  roots.reserve(n);
  for (int64_t k = 0; k < n; ++k)
    roots.push_back(root(k, n));
  if (n > 0)
    transformInto(x.data(), n, 1, roots, out.data());
  return out;
}

static void addSteps(std::vector<double> &table, int64_t length) {
  int64_t left = length;
  for (int64_t radix : radicesOf(length)) {
    int64_t whole = left;
    left /= radix;
    for (int64_t p = 0; p < left && left > 1; ++p)
      for (int64_t j = 1; j < radix; ++j) {
        std::complex<double> w = root(p * j, whole);
        table.push_back(w.real());
        table.push_back(w.imag());
      }
  }
}

std::vector<double> tableOf(const Plan &plan) {
  std::vector<double> table;
  table.reserve(plan.tableSize());
  addSteps(table, plan.rows);
  if (plan.isMatrix()) {
    addSteps(table, plan.columns);
    int64_t stride = plan.crossStride(), half = plan.rows * stride;
    size_t begin = table.size();
    table.resize(begin + 2 * half);
    for (int64_t i = 0; i < plan.rows; ++i)
      for (int64_t j = 0; j < plan.columns; ++j) {
        std::complex<double> w = root(i * j, plan.length);
        table[begin + i * stride + j] = w.real();
        table[begin + half + i * stride + j] = w.imag();
      }
  }
  table.push_back(1);
  table.push_back(0);
  return table;
}

} // namespace tensorc::fourier
