//===- Lanes.h - Small matrices, one in each lane of a vector ---*- C++ -*-===//
//
// A group of matrices is turned so that a vector holds one element of all of
// them; then one matrix' plain loops serve the group. What a matrix becomes
// does not depend on its neighbours, so not on how large the batch is.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_LANES_H
#define TENSORC_RUNTIME_LINALG_LANES_H

#include "runtime/linalg/Level.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

/// Up to this many rows a group of matrices fits a core's caches.
constexpr int64_t kMostRows = 32;

template <typename T> class Lanes {
public:
#if defined(__AVX512F__)
  static constexpr int bytes = 64;
#elif defined(__AVX__)
  static constexpr int bytes = 32;
#else
  static constexpr int bytes = 16;
#endif
  static constexpr int count = bytes / sizeof(T);
  typedef T Vector __attribute__((vector_size(bytes)));

  /// `used` matrices of `size` elements; the last one fills what lanes are
  /// left.
  static void load(const T *matrices, int64_t size, int64_t used, Vector *out) {
    const T *at[count];
    for (int lane = 0; lane < count; ++lane)
      at[lane] = matrices + std::min<int64_t>(lane, used - 1) * size;
    int64_t i = 0;
    for (; i + count <= size; i += count) {
      for (int lane = 0; lane < count; ++lane)
        std::memcpy(&out[i + lane], at[lane] + i, sizeof(Vector));
      turn(out + i);
    }
    for (; i < size; ++i)
      for (int lane = 0; lane < count; ++lane)
        out[i][lane] = at[lane][i];
  }

  static void store(Vector *in, int64_t size, int64_t used, T *matrices) {
    int64_t i = 0;
    for (; i + count <= size; i += count) {
      turn(in + i);
      for (int64_t lane = 0; lane < used; ++lane)
        std::memcpy(matrices + lane * size + i, &in[i + lane], sizeof(Vector));
    }
    for (; i < size; ++i)
      for (int64_t lane = 0; lane < used; ++lane)
        matrices[lane * size + i] = in[i][lane];
  }

  /// In place, zeros above; lanes without a factor become NaN.
  static void cholesky(Vector *a, int64_t n) {
    Vector failed = {}; // 0, or NaN
    for (int64_t j = 0; j < n; ++j) {
      Vector *rowJ = a + j * n;
      Vector pivot = rowJ[j];
      for (int64_t k = 0; k < j; ++k)
        pivot -= rowJ[k] * rowJ[k];
      // Neither negative, nor 0, infinite, NaN.
      auto isGood = (pivot > T(0)) & (pivot <= std::numeric_limits<T>::max());
      failed = isGood ? failed : std::numeric_limits<T>::quiet_NaN() + Vector{};
      pivot = root(isGood ? pivot : T(1) + Vector{});
      Vector scale = T(1) / pivot;
      int64_t i = j + 1;
      constexpr int block = 4; // rows that share what is read of row j
      for (; i + block <= n; i += block) {
        Vector *row = a + i * n;
        Vector s0 = row[j], s1 = row[n + j], s2 = row[2 * n + j],
               s3 = row[3 * n + j];
        for (int64_t k = 0; k < j; ++k) {
          s0 -= row[k] * rowJ[k];
          s1 -= row[n + k] * rowJ[k];
          s2 -= row[2 * n + k] * rowJ[k];
          s3 -= row[3 * n + k] * rowJ[k];
        }
        row[j] = s0 * scale;
        row[n + j] = s1 * scale;
        row[2 * n + j] = s2 * scale;
        row[3 * n + j] = s3 * scale;
      }
      for (; i < n; ++i) {
        Vector sum = a[i * n + j];
        for (int64_t k = 0; k < j; ++k)
          sum -= a[i * n + k] * rowJ[k];
        a[i * n + j] = sum * scale;
      }
      rowJ[j] = pivot;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        a[i * n + j] = (j <= i ? a[i * n + j] : Vector{}) + failed;
  }

  /// a y = b for a triangle of a; y takes b's place.
  static void solveTriangle(const Vector *a, Vector *b, int64_t n, int64_t m,
                            bool upper, bool unit) {
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = upper ? n - 1 - step : step;
      Vector *y = b + i * m;
      for (int64_t before = 0; before < step; ++before) {
        int64_t k = upper ? n - 1 - before : before;
        Vector factor = a[i * n + k];
        for (int64_t j = 0; j < m; ++j)
          y[j] -= factor * b[k * m + j];
      }
      if (!unit)
        for (int64_t j = 0; j < m; ++j)
          y[j] /= a[i * n + i];
    }
  }

  /// a y = b by elimination with row exchanges; y takes b's place.
  static void solve(Vector *a, Vector *b, int64_t n, int64_t m) {
    for (int64_t k = 0; k < n; ++k) {
      exchangeRows(a, b, n, m, k);
      const Vector *rowK = a + k * n;
      for (int64_t i = k + 1; i < n; ++i) {
        Vector *row = a + i * n;
        Vector factor = row[k] / rowK[k];
        for (int64_t j = k + 1; j < n; ++j)
          row[j] -= factor * rowK[j];
        for (int64_t j = 0; j < m; ++j)
          b[i * m + j] -= factor * b[k * m + j];
      }
    }
    solveTriangle(a, b, n, m, /*upper=*/true, /*unit=*/false);
  }

  static void transpose(Vector *a, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i; ++j)
        std::swap(a[i * n + j], a[j * n + i]);
  }

private:
  /// As many vectors as each has elements, a square, turned: in each round half
  /// of them go between the other half.
  static void turn(Vector *square) {
    for (int round = 1; round < count; round *= 2) {
      Vector before[count];
      std::copy_n(square, count, before);
      for (int i = 0; i < count / 2; ++i) {
        square[2 * i] = mixed<0>(before[i], before[i + count / 2], Places());
        square[2 * i + 1] =
            mixed<count / 2>(before[i], before[i + count / 2], Places());
      }
    }
  }

  using Places = std::make_integer_sequence<int, count>;
  /// Elements of both by turns, from this one on.
  template <int first, int... places>
  static Vector mixed(Vector a, Vector b,
                      std::integer_sequence<int, places...>) {
    return __builtin_shufflevector(
        a, b, (first + places / 2 + places % 2 * count)...);
  }

  static Vector root(Vector x) {
    for (int lane = 0; lane < count; ++lane)
      x[lane] = std::sqrt(x[lane]);
    return x;
  }

  /// The largest of column k's elements below comes to row k, in each lane.
  static void exchangeRows(Vector *a, Vector *b, int64_t n, int64_t m,
                           int64_t k) {
    Vector largest = magnitude(a[k * n + k]), place = T(k) + Vector{};
    for (int64_t i = k + 1; i < n; ++i) {
      Vector here = magnitude(a[i * n + k]);
      auto isLarger = here > largest;
      largest = isLarger ? here : largest;
      place = isLarger ? T(i) + Vector{} : place;
    }
    T *matrix = reinterpret_cast<T *>(a), *sides = reinterpret_cast<T *>(b);
    for (int lane = 0; lane < count; ++lane) {
      auto p = static_cast<int64_t>(place[lane]);
      if (p == k)
        continue;
      for (int64_t j = k; j < n; ++j)
        std::swap(matrix[(k * n + j) * count + lane],
                  matrix[(p * n + j) * count + lane]);
      for (int64_t j = 0; j < m; ++j)
        std::swap(sides[(k * m + j) * count + lane],
                  sides[(p * m + j) * count + lane]);
    }
  }

  static Vector magnitude(Vector x) { return x < T(0) ? -x : x; }
};

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_LANES_H
