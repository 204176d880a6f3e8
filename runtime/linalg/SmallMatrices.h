//===- SmallMatrices.h - groups of small matrices in lanes ------*- C++ -*-===//
//
// A vector holds one element of all matrices of a group, so that plain loops
// for one matrix serve the whole group. The result of a matrix does not depend
// on its neighbours, and so not on the size of the batch. Real and complex
// matrices share the loops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_SMALLMATRICES_H
#define TENSORC_RUNTIME_LINALG_SMALLMATRICES_H

#include "runtime/linalg/Batches.h"
#include "runtime/linalg/Lanes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

/// Maximum number of rows, so that a group of matrices fits into the caches of
/// a core.
constexpr int64_t kMaxRows = 32;

template <typename T> class SmallMatrices : LaneArithmetic<T> {
  using Arithmetic = LaneArithmetic<T>;
  using Arithmetic::subtractProduct;
  using typename Arithmetic::R;
  using typename Arithmetic::Vector;

public:
  using typename Arithmetic::Element;

  /// The matrices x of a call, one per lane. z holds the right-hand sides, or
  /// is memory for a result.
  struct Group {
    const char *config;
    int64_t rows, columns, sides;
    Element *x, *z;
  };
  /// Returns the address of the result, which is `x` or `z`.
  using Function = Element *(*)(const Group &);

  static Element *cholesky(const Group &g) {
    int64_t n = g.rows, width = has(g.config, "info") ? n + 1 : n;
    bool isUpper = has(g.config, "upper");
    Vector info = factorize(g.x, n);
    Vector nan = std::numeric_limits<R>::quiet_NaN() + Vector{};
    Vector failed = info > R(0) ? nan : Vector{};
    for (int64_t i = 0; i < n; ++i) {
      Element *row = g.z + i * width;
      for (int64_t j = 0; j < n; ++j) {
        bool isInside = isUpper ? j >= i : j <= i;
        Element x =
            isUpper ? Arithmetic::conjugate(g.x[j * n + i]) : g.x[i * n + j];
        row[j] = Arithmetic::shifted(isInside ? x : Element{}, failed);
      }
      if (width > n)
        row[n] = Arithmetic::ofReal(i == 0 ? info : Vector{});
    }
    return g.z;
  }

  static Element *triangularSolve(const Group &g) {
    bool isTransposed = has(g.config, "transposed");
    if (isTransposed)
      transpose(g.x, g.rows);
    solveTriangle(g.x, g.rows, g.z, g.sides, g.rows, g.sides,
                  has(g.config, "upper") != isTransposed,
                  has(g.config, "unit"));
    return g.z;
  }

  /// Solves a system by Gaussian elimination with partial pivoting.
  static Element *solve(const Group &g) {
    int64_t n = g.rows, m = g.sides, strideX = spread(n), strideZ = spread(m);
    moveRows(g.x, n, n, n, strideX);
    moveRows(g.z, n, m, m, strideZ);
    for (int64_t k = 0; k < n; ++k) {
      Vector place = eliminate(g.x, n, n, strideX, k);
      swapRows(g.z, n, strideZ, m, k, place, g.x + k, strideX);
    }
    solveTriangle(g.x, strideX, g.z, strideZ, n, m, /*upper=*/true,
                  /*unit=*/false);
    moveRows(g.z, n, m, strideZ, m);
    return g.z;
  }

  /// LU factorization with partial pivoting. The last column holds the order of
  /// the rows.
  static Element *lu(const Group &g) {
    int64_t m = g.rows, n = g.columns, width = n + 1;
    for (int64_t i = 0; i < m; ++i) {
      std::copy_n(g.x + i * n, n, g.z + i * width);
      g.z[i * width + n] = Arithmetic::ofReal(R(i) + Vector{});
    }
    for (int64_t k = 0; k < std::min(m, n); ++k) {
      Vector place = eliminate(g.z, m, n, width, k);
      swapRows(g.z, m, width, k, k, place);
      swapRows(g.z + n, m, width, 1, k, place);
    }
    return g.z;
  }

  /// Multiplies scaled pivots, and adds the exponents of their scales
  /// separately, so that no intermediate product overflows or underflows.
  static Element *determinant(const Group &g) {
    int64_t n = g.rows, stride = spread(n);
    moveRows(g.x, n, n, n, stride);
    Element product = Arithmetic::ofReal(R(1) + Vector{});
    Vector exponent = {};
    auto scale = [&](const Element &x) {
      Vector power = Lanes<R>::powerBelow(Arithmetic::largerPart(x));
      exponent += Lanes<R>::exponentOf(power);
      return Arithmetic::scaled(x, R(1) / power);
    };
    for (int64_t k = 0; k < n; ++k) {
      Vector place = eliminate(g.x, n, n, stride, k);
      Element pivot = scale(g.x[k * stride + k]);
      auto isInPlace = place == R(k);
      pivot = Arithmetic::select(isInPlace, pivot, Arithmetic::negated(pivot));
      product = scale(Arithmetic::product(product, pivot));
    }
    if (!has(g.config, "logarithm")) {
      forEachPart(product, [&](R x, int lane) {
        return std::ldexp(x, static_cast<int>(exponent[lane]));
      });
      g.z[0] = product;
      return g.z;
    }
    Vector modulus = Arithmetic::modulus(product), logarithm;
    Vector by = modulus == R(0) ? R(1) + Vector{} : modulus; // 0 has sign 0
    g.z[0] = Arithmetic::divided(product, by);
    for (int lane = 0; lane < Lanes<R>::count; ++lane)
      logarithm[lane] = std::log(modulus[lane]);
    // ln 2 as the sum of two numbers. The high part has so few bits that its
    // multiples are exact.
    constexpr R ln2 = static_cast<R>(45426) / 65536;
    constexpr R rest = std::numbers::ln2_v<long double> - ln2;
    logarithm = exponent * ln2 + (exponent * rest + logarithm);
    g.z[1] = Arithmetic::ofReal(logarithm);
    return g.z;
  }

  /// Householder QR. The reflectors are stored in the place of the eliminated
  /// elements.
  static Element *qr(const Group &g) {
    int64_t m = g.rows, n = g.columns, least = std::min(m, n);
    int64_t k = has(g.config, "complete") ? m : least, width = k + n;
    int64_t strideX = spread(n), strideZ = spread(width);
    moveRows(g.x, m, n, n, strideX);
    Element factors[kMaxRows];
    for (int64_t c = 0; c < least; ++c) {
      Element *corner = g.x + c * strideX + c;
      factors[c] = makeReflector(corner, m - c, strideX);
      reflect(corner, strideX, Arithmetic::conjugate(factors[c]), corner + 1,
              strideX, m - c, n - c - 1);
    }
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < width; ++j) {
        bool isOfR = j >= k + i && i < least;
        g.z[i * strideZ + j] =
            isOfR ? g.x[i * strideX + j - k]
                  : Arithmetic::ofReal(R(i == j && j < k) + Vector{});
      }
    for (int64_t c = least - 1; c >= 0; --c)
      reflect(g.x + c * strideX + c, strideX, factors[c], g.z + c * strideZ + c,
              strideZ, m - c, k - c);
    moveRows(g.z, m, width, strideZ, width);
    return g.z;
  }

  /// Runs the function on groups of matrices, or on one matrix at a time if
  /// they are too large.
  template <Function ofGroup, linalg::TENSORC_LINALG_LEVEL::Function<T> ofOne>
  static void run(const tensorc_rt_op_call &description) {
    Call<T> call(description);
    int64_t rows = call.a.rows, columns = call.a.columns,
            sides = call.b.columns;
    if (std::min(rows, columns) == 0 ||
        std::max({rows, columns, sides}) > kMaxRows)
      return runAll<T, T, ofOne>(description);
    constexpr int lanes = Lanes<R>::count;
    int64_t groups = (call.a.batch + lanes - 1) / lanes;
    auto each = static_cast<double>(rows * columns * (rows + sides));
    inParts(groups, each, [&](int64_t group, int64_t end) {
      Element x[kMaxRows * (kMaxRows + 1)];
      Element z[kMaxRows * (2 * kMaxRows + 1)];
      for (; group < end; ++group) {
        int64_t first = group * lanes;
        int64_t left = call.a.batch - first;
        load(call.x, call.a.size(), first, left, x);
        if (description.input_count > 1)
          load(call.z, call.b.size(), first, left, z);
        Element *y = ofGroup({call.config, rows, columns, sides, x, z});
        Lanes<R>::store(
            reinterpret_cast<Vector *>(y), parts * call.y.size(),
            std::min<int64_t>(lanes, left),
            reinterpret_cast<R *>(call.out + first * call.y.size()));
      }
    });
  }

private:
  static constexpr int parts = sizeof(Element) / sizeof(Vector);

  static void load(const T *matrices, int64_t size, int64_t first, int64_t left,
                   Element *out) {
    Lanes<R>::load(reinterpret_cast<const R *>(matrices + first * size),
                   parts * size, left, reinterpret_cast<Vector *>(out));
  }

  /// Returns the row stride for matrices that are read along columns. It avoids
  /// strides that map a column to a few cache sets.
  static int64_t spread(int64_t columns) {
    return columns > 8 && columns % 8 == 0 ? columns + 1 : columns;
  }
  static void moveRows(Element *a, int64_t rows, int64_t columns, int64_t from,
                       int64_t to) {
    if (to > from)
      for (int64_t i = rows - 1; i > 0; --i)
        std::copy_backward(a + i * from, a + i * from + columns,
                           a + i * to + columns);
    if (to < from)
      for (int64_t i = 1; i < rows; ++i)
        std::copy_n(a + i * from, columns, a + i * to);
  }

  template <typename Body> static void forEachPart(Element &x, Body body) {
    auto *vectors = reinterpret_cast<Vector *>(&x);
    for (int part = 0; part < parts; ++part)
      for (int lane = 0; lane < Lanes<R>::count; ++lane)
        vectors[part][lane] = body(vectors[part][lane], lane);
  }

  /// Cholesky factorization in place; the upper triangle is not changed.
  /// Returns 0, or the size of the smallest leading block that is not positive
  /// definite.
  static Vector factorize(Element *a, int64_t n) {
    Vector info = {};
    for (int64_t j = 0; j < n; ++j) {
      Element *rowJ = a + j * n;
      Vector pivot = Arithmetic::real(rowJ[j]);
      for (int64_t k = 0; k < j; ++k)
        Arithmetic::subtractSquare(pivot, rowJ[k]);
      // A good pivot is positive and finite.
      auto isGood = (pivot > R(0)) & (pivot <= std::numeric_limits<R>::max());
      info = (isGood | (info > R(0))) ? info : R(j + 1) + Vector{};
      pivot = Lanes<R>::root(isGood ? pivot : R(1) + Vector{});
      Vector scale = R(1) / pivot;
      int64_t i = j + 1;
      constexpr int block = 4; // rows that share the loads of row j
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
    return info;
  }

  /// Solves a y = b for a triangle of a. y replaces b.
  static void solveTriangle(const Element *a, int64_t strideA, Element *b,
                            int64_t strideB, int64_t n, int64_t m, bool upper,
                            bool unit) {
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = upper ? n - 1 - step : step;
      Element *y = b + i * strideB;
      for (int64_t before = 0; before < step; ++before) {
        int64_t k = upper ? n - 1 - before : before;
        Element factor = a[i * strideA + k];
        for (int64_t j = 0; j < m; ++j)
          subtractProduct(y[j], factor, b[k * strideB + j]);
      }
      if (unit)
        continue;
      typename Arithmetic::Divisor pivot(a[i * strideA + i]);
      for (int64_t j = 0; j < m; ++j)
        y[j] = pivot.divide(y[j]);
    }
  }

  static void transpose(Element *a, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i; ++j)
        std::swap(a[i * n + j], a[j * n + i]);
  }

  /// Returns for each lane the row, from k on, with the largest element of
  /// column k.
  static Vector pivotOf(const Element *a, int64_t rows, int64_t stride,
                        int64_t k) {
    const Element *column = a + k;
    typename Arithmetic::Magnitude magnitude(column + k * stride, rows - k,
                                             stride);
    Vector largest = magnitude.of(column[k * stride]), place = R(k) + Vector{};
    for (int64_t i = k + 1; i < rows; ++i) {
      Vector here = magnitude.of(column[i * stride]);
      auto isLarger = here > largest;
      largest = isLarger ? here : largest;
      place = isLarger ? R(i) + Vector{} : place;
    }
    return place;
  }

  /// Does one step of the elimination of the columns from k on. Stores the
  /// factors in the place of the eliminated elements. Returns for each lane the
  /// row that was swapped into row k.
  static Vector eliminate(Element *a, int64_t rows, int64_t columns,
                          int64_t stride, int64_t k) {
    Vector place = pivotOf(a, rows, stride, k);
    Element *column = a + k;
    swapRows(column, rows, stride, 1, k, place);
    // If the pivot is 0, all elements below it are 0 and stay 0.
    Element pivot = column[k * stride];
    auto isNothing = Arithmetic::largerPart(pivot) == R(0);
    typename Arithmetic::Divisor divisor(Arithmetic::select(
        isNothing, Arithmetic::ofReal(R(1) + Vector{}), pivot));
    for (int64_t i = k + 1; i < rows; ++i)
      column[i * stride] = divisor.divide(column[i * stride]);
    swapRows(column + 1, rows, stride, columns - k - 1, k, place, column,
             stride);
    return place;
  }

  /// Swaps row k of some columns with a lower row, which may differ between
  /// lanes. If there are factors, also subtracts multiples of the new row k
  /// from the rows below.
  static void swapRows(Element *a, int64_t rows, int64_t stride,
                       int64_t columns, int64_t k, Vector place,
                       const Element *factors = nullptr,
                       int64_t factorStride = 0) {
    constexpr int block = 4; // columns that share masks and factors
    int64_t j = 0;
    for (; j + block <= columns; j += block)
      exchangeBlock<block>(a + j, rows, stride, k, place, factors,
                           factorStride);
    for (; j < columns; ++j)
      exchangeBlock<1>(a + j, rows, stride, k, place, factors, factorStride);
  }

  template <int width>
  static void exchangeBlock(Element *a, int64_t rows, int64_t stride, int64_t k,
                            Vector place, const Element *factors,
                            int64_t factorStride) {
    Element before[width], pivot[width];
    std::copy_n(a + k * stride, width, before);
    std::copy_n(before, width, pivot);
    Vector at = R(k) + Vector{};
    for (int64_t i = k + 1; i < rows; ++i) {
      auto isPivot = place == (at += R(1));
      for (int c = 0; c < width; ++c)
        pivot[c] = Arithmetic::select(isPivot, a[i * stride + c], pivot[c]);
    }
    std::copy_n(pivot, width, a + k * stride);
    at = R(k) + Vector{};
    for (int64_t i = k + 1; i < rows; ++i) {
      auto isPivot = place == (at += R(1));
      Element factor = factors ? factors[i * factorStride] : Element{};
      for (int c = 0; c < width; ++c) {
        Element &x = a[i * stride + c];
        x = Arithmetic::select(isPivot, before[c], x);
        if (factors)
          subtractProduct(x, factor, pivot[c]);
      }
    }
  }

  /// Makes the Householder reflector of a column: v and the returned factor,
  /// for which (1 - factor v v^H)^H maps the column to a single real number.
  /// The first element of v is 1, and this real number is stored in its place.
  /// Squares neither overflow nor underflow.
  static Element makeReflector(Element *column, int64_t rows, int64_t stride) {
    Vector largest = {};
    for (int64_t i = 0; i < rows; ++i) {
      Vector here = Arithmetic::largerPart(column[i * stride]);
      largest = here > largest ? here : largest;
    }
    Vector power = Lanes<R>::powerBelow(largest), scale = R(1) / power;
    Vector tail = {}; // negated sum of squares below the first element
    for (int64_t i = 1; i < rows; ++i) {
      column[i * stride] = Arithmetic::scaled(column[i * stride], scale);
      Arithmetic::subtractSquare(tail, column[i * stride]);
    }
    Element first = Arithmetic::scaled(column[0], scale);
    Vector real = Arithmetic::real(first), length = tail;
    Arithmetic::subtractSquare(length, first);
    length = Lanes<R>::root(-length);
    auto isDone = (tail == R(0)) & (Arithmetic::imaginary(first) == R(0));
    Vector left = isDone ? real : real < R(0) ? length : -length;
    Element most = Arithmetic::difference(first, Arithmetic::ofReal(left));
    Element one = Arithmetic::ofReal(R(1) + Vector{});
    typename Arithmetic::Divisor divisor(Arithmetic::select(isDone, one, most));
    for (int64_t i = 1; i < rows; ++i)
      column[i * stride] = divisor.divide(column[i * stride]);
    column[0] = Arithmetic::ofReal(left * power);
    Element factor =
        Arithmetic::scaled(most, R(-1) / (isDone ? R(1) + Vector{} : left));
    return Arithmetic::select(isDone, Element{}, factor);
  }

  /// Applies a reflector: computes x - factor v v^H x.
  static void reflect(const Element *v, int64_t stride, const Element &factor,
                      Element *x, int64_t xStride, int64_t rows,
                      int64_t columns) {
    constexpr int block = 4; // columns that share the loads of v
    int64_t j = 0;
    for (; j + block <= columns; j += block)
      reflectBlock<block>(v, stride, factor, x + j, xStride, rows);
    for (; j < columns; ++j)
      reflectBlock<1>(v, stride, factor, x + j, xStride, rows);
  }

  template <int width>
  static void reflectBlock(const Element *v, int64_t stride,
                           const Element &factor, Element *x, int64_t xStride,
                           int64_t rows) {
    Element sums[width];
    for (int c = 0; c < width; ++c)
      sums[c] = Arithmetic::negated(x[c]);
    for (int64_t i = 1; i < rows; ++i) {
      Element other = Arithmetic::conjugate(v[i * stride]);
      for (int c = 0; c < width; ++c)
        subtractProduct(sums[c], other, x[i * xStride + c]);
    }
    for (int c = 0; c < width; ++c) {
      sums[c] = Arithmetic::product(Arithmetic::negated(factor), sums[c]);
      x[c] = Arithmetic::difference(x[c], sums[c]);
    }
    for (int64_t i = 1; i < rows; ++i)
      for (int c = 0; c < width; ++c)
        subtractProduct(x[i * xStride + c], v[i * stride], sums[c]);
  }
};

/// The function for groups of matrices, and for one matrix if they are too
/// large.
#define TENSORC_OF_SMALL(Single, Double, fn)                                   \
  run<SmallMatrices<Single>::run<SmallMatrices<Single>::fn, fn<Single>>,       \
      SmallMatrices<Double>::run<SmallMatrices<Double>::fn, fn<Double>>>

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_SMALLMATRICES_H
