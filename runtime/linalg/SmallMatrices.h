//===- SmallMatrices.h - Groups of small matrices, in lanes -----*- C++ -*-===//
//
// A vector holds one element of all matrices of a group; then one matrix' plain
// loops serve the group. What a matrix becomes does not depend on its
// neighbours, so not on how large the batch is. Real and complex matrices share
// the loops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_SMALLMATRICES_H
#define TENSORC_RUNTIME_LINALG_SMALLMATRICES_H

#include "runtime/linalg/Batches.h"
#include "runtime/linalg/Lanes.h"

#include <utility>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

/// Up to this many rows a group of matrices fits a core's caches.
constexpr int64_t kMostRows = 32;

template <typename T> class SmallMatrices : LaneArithmetic<T> {
  using Arithmetic = LaneArithmetic<T>;
  using Arithmetic::subtractProduct;
  using typename Arithmetic::R;
  using typename Arithmetic::Vector;

public:
  using typename Arithmetic::Element;

  /// x and z are a group's matrices; the result is in one of them.
  using Function = Element *(*)(const char *config, Element *x, Element *z,
                                int64_t n, int64_t m);

  static Element *cholesky(const char *config, Element *x, Element *, int64_t n,
                           int64_t) {
    factorize(x, n);
    if (has(config, "upper")) {
      transpose(x, n);
      for (int64_t i = 0; i < n * n; ++i)
        x[i] = Arithmetic::conjugate(x[i]);
    }
    return x;
  }

  static Element *triangularSolve(const char *config, Element *x, Element *z,
                                  int64_t n, int64_t m) {
    bool isTransposed = has(config, "transposed");
    if (isTransposed)
      transpose(x, n);
    solveTriangle(x, z, n, m, has(config, "upper") != isTransposed,
                  has(config, "unit"));
    return z;
  }

  /// By elimination with row exchanges.
  static Element *solve(const char *, Element *x, Element *z, int64_t n,
                        int64_t m) {
    for (int64_t k = 0; k < n; ++k) {
      exchangeRows(x, z, n, m, k);
      const Element *rowK = x + k * n;
      typename Arithmetic::Divisor pivot(rowK[k]);
      for (int64_t i = k + 1; i < n; ++i) {
        Element *row = x + i * n;
        Element factor = pivot.divide(row[k]);
        for (int64_t j = k + 1; j < n; ++j)
          subtractProduct(row[j], factor, rowK[j]);
        for (int64_t j = 0; j < m; ++j)
          subtractProduct(z[i * m + j], factor, z[k * m + j]);
      }
    }
    solveTriangle(x, z, n, m, /*upper=*/true, /*unit=*/false);
    return z;
  }

  /// Of groups, or one by one where the matrices are too large.
  template <Function ofGroup, linalg::TENSORC_LINALG_LEVEL::Function<T> ofOne>
  static void run(const tensorc_rt_op_call &description) {
    Call<T> call(description);
    int64_t n = call.a.rows, m = call.b.columns;
    if (n == 0 || n > kMostRows || m > kMostRows || call.y.columns != m)
      return runAll<T, T, ofOne>(description);
    constexpr int lanes = Lanes<R>::count;
    int64_t groups = (call.a.batch + lanes - 1) / lanes;
    auto each = static_cast<double>(n * n * (n + m));
    inParts(groups, each, [&](int64_t group, int64_t end) {
      Element x[kMostRows * kMostRows], z[kMostRows * kMostRows];
      for (; group < end; ++group) {
        int64_t first = group * lanes;
        int64_t used = std::min<int64_t>(lanes, call.a.batch - first);
        load(call.x, call.a.size(), first, used, x);
        if (description.input_count > 1)
          load(call.z, call.b.size(), first, used, z);
        Element *y = ofGroup(call.config, x, z, n, m);
        Lanes<R>::store(
            reinterpret_cast<Vector *>(y), parts * call.y.size(), used,
            reinterpret_cast<R *>(call.out + first * call.y.size()));
      }
    });
  }

private:
  static constexpr int parts = sizeof(Element) / sizeof(Vector);

  static void load(const T *matrices, int64_t size, int64_t first, int64_t used,
                   Element *out) {
    Lanes<R>::load(reinterpret_cast<const R *>(matrices + first * size),
                   parts * size, used, reinterpret_cast<Vector *>(out));
  }

  /// In place, zeros above; lanes without a factor become NaN.
  static void factorize(Element *a, int64_t n) {
    Vector failed = {}; // 0, or NaN
    for (int64_t j = 0; j < n; ++j) {
      Element *rowJ = a + j * n;
      Vector pivot = Arithmetic::real(rowJ[j]);
      for (int64_t k = 0; k < j; ++k)
        Arithmetic::subtractSquare(pivot, rowJ[k]);
      // Neither negative, nor 0, infinite, NaN.
      auto isGood = (pivot > R(0)) & (pivot <= std::numeric_limits<R>::max());
      failed = isGood ? failed : std::numeric_limits<R>::quiet_NaN() + Vector{};
      pivot = Lanes<R>::root(isGood ? pivot : R(1) + Vector{});
      Vector scale = R(1) / pivot;
      int64_t i = j + 1;
      constexpr int block = 4; // rows that share what is read of row j
      for (; i + block <= n; i += block) {
        Element *row = a + i * n;
        Element s0 = row[j], s1 = row[n + j], s2 = row[2 * n + j],
                s3 = row[3 * n + j];
        for (int64_t k = 0; k < j; ++k) {
          Element other = Arithmetic::conjugate(rowJ[k]);
          subtractProduct(s0, row[k], other);
          subtractProduct(s1, row[n + k], other);
          subtractProduct(s2, row[2 * n + k], other);
          subtractProduct(s3, row[3 * n + k], other);
        }
        row[j] = Arithmetic::scaled(s0, scale);
        row[n + j] = Arithmetic::scaled(s1, scale);
        row[2 * n + j] = Arithmetic::scaled(s2, scale);
        row[3 * n + j] = Arithmetic::scaled(s3, scale);
      }
      for (; i < n; ++i) {
        Element sum = a[i * n + j];
        for (int64_t k = 0; k < j; ++k)
          subtractProduct(sum, a[i * n + k], Arithmetic::conjugate(rowJ[k]));
        a[i * n + j] = Arithmetic::scaled(sum, scale);
      }
      rowJ[j] = Arithmetic::ofReal(pivot);
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        a[i * n + j] =
            Arithmetic::shifted(j <= i ? a[i * n + j] : Element{}, failed);
  }

  /// a y = b for a triangle of a; y takes b's place.
  static void solveTriangle(const Element *a, Element *b, int64_t n, int64_t m,
                            bool upper, bool unit) {
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = upper ? n - 1 - step : step;
      Element *y = b + i * m;
      for (int64_t before = 0; before < step; ++before) {
        int64_t k = upper ? n - 1 - before : before;
        Element factor = a[i * n + k];
        for (int64_t j = 0; j < m; ++j)
          subtractProduct(y[j], factor, b[k * m + j]);
      }
      if (unit)
        continue;
      typename Arithmetic::Divisor pivot(a[i * n + i]);
      for (int64_t j = 0; j < m; ++j)
        y[j] = pivot.divide(y[j]);
    }
  }

  static void transpose(Element *a, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i; ++j)
        std::swap(a[i * n + j], a[j * n + i]);
  }

  /// The largest of column k's elements below comes to row k, in each lane.
  static void exchangeRows(Element *a, Element *b, int64_t n, int64_t m,
                           int64_t k) {
    typename Arithmetic::Magnitude magnitude(a + k * n + k, n - k, n);
    Vector largest = magnitude.of(a[k * n + k]), place = R(k) + Vector{};
    for (int64_t i = k + 1; i < n; ++i) {
      Vector here = magnitude.of(a[i * n + k]);
      auto isLarger = here > largest;
      largest = isLarger ? here : largest;
      place = isLarger ? R(i) + Vector{} : place;
    }
    for (int lane = 0; lane < Lanes<R>::count; ++lane) {
      auto p = static_cast<int64_t>(place[lane]);
      if (p == k)
        continue;
      exchange(a + k * n + k, a + p * n + k, n - k, lane);
      exchange(b + k * m, b + p * m, m, lane);
    }
  }

  /// One lane of two rows.
  static void exchange(Element *x, Element *y, int64_t size, int lane) {
    R *first = reinterpret_cast<R *>(x) + lane;
    R *second = reinterpret_cast<R *>(y) + lane;
    for (int64_t i = 0; i < parts * size; ++i)
      std::swap(first[i * Lanes<R>::count], second[i * Lanes<R>::count]);
  }
};

/// The function of groups, and of one matrix where they are too large.
#define TENSORC_OF_SMALL(Single, Double, fn)                                   \
  run<SmallMatrices<Single>::run<SmallMatrices<Single>::fn, fn<Single>>,       \
      SmallMatrices<Double>::run<SmallMatrices<Double>::fn, fn<Double>>>

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_SMALLMATRICES_H
