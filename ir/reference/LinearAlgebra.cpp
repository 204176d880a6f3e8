//===- LinearAlgebra.cpp - Reference factorizations -----------------------===//

#include "ir/reference/LinearAlgebra.h"
#include "ir/reference/Complex.h"
#include "ir/reference/Matrix.h"
#include "ir/tx/DType.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace llvm;

namespace tensorc::reference {

namespace {

template <typename T> void swapRows(Matrix<T> &x, int64_t i, int64_t j) {
  for (int64_t k = 0; k < x.columns; ++k)
    std::swap(x(i, k), x(j, k));
}

/// Returns the row from k on that has the largest element of column k.
template <typename T> int64_t pivotOf(const Matrix<T> &x, int64_t k) {
  int64_t pivot = k;
  for (int64_t i = k + 1; i < x.rows; ++i)
    if (std::abs(x(i, k)) > std::abs(x(pivot, k)))
      pivot = i;
  return pivot;
}

/// Replaces x by L and U. Returns the order of the rows and the sign of the
/// permutation.
template <typename T>
std::pair<std::vector<int64_t>, int> factor(Matrix<T> &x) {
  std::vector<int64_t> order(x.rows);
  std::iota(order.begin(), order.end(), 0);
  int sign = 1;
  for (int64_t k = 0; k < std::min(x.rows, x.columns); ++k) {
    int64_t pivot = pivotOf(x, k);
    if (pivot != k) {
      swapRows(x, k, pivot);
      std::swap(order[k], order[pivot]);
      sign = -sign;
    }
    for (int64_t i = k + 1; i < x.rows && x(k, k) != T(0); ++i) {
      T factor = x(i, k) /= x(k, k);
      for (int64_t j = k + 1; j < x.columns; ++j)
        x(i, j) -= factor * x(k, j);
    }
  }
  return {order, sign};
}

/// Solves a y = b, where only one triangle of a is used. y replaces b.
template <typename T>
void substitute(const Matrix<T> &a, Matrix<T> &b, bool upper, bool unit) {
  for (int64_t step = 0; step < a.rows; ++step) {
    int64_t i = upper ? a.rows - 1 - step : step;
    int64_t first = upper ? i + 1 : 0, last = upper ? a.rows : i;
    for (int64_t c = 0; c < b.columns; ++c) {
      T sum = b(i, c);
      for (int64_t j = first; j < last; ++j)
        sum -= a(i, j) * b(j, c);
      b(i, c) = unit ? sum : sum / a(i, i);
    }
  }
}

template <typename T> Matrix<T> solveSystem(Matrix<T> a, const Matrix<T> &b) {
  auto order = factor(a).first;
  Matrix<T> y(b.rows, b.columns);
  for (int64_t i = 0; i < b.rows; ++i)
    for (int64_t c = 0; c < b.columns; ++c)
      y(i, c) = b(order[i], c);
  substitute(a, y, /*upper=*/false, /*unit=*/true);
  substitute(a, y, /*upper=*/true, /*unit=*/false);
  return y;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

bool has(StringRef config, StringRef word) {
  SmallVector<StringRef> words;
  config.split(words, ' ');
  return is_contained(words, word);
}

template <typename T> using Inputs = ArrayRef<Matrix<T>>;

template <typename T>
void cholesky(StringRef config, Inputs<T> in, Matrix<T> &out) {
  const Matrix<T> &x = in[0];
  int64_t n = x.rows, failed = 0;
  Matrix<T> l(n, n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      T sum = i == j ? T(std::real(x(i, i))) : x(i, j);
      for (int64_t k = 0; k < j; ++k)
        sum -= l(i, k) * conjugate(l(j, k));
      if (i == j && failed == 0 &&
          !(std::real(sum) > 0 && std::isfinite(std::real(sum))))
        failed = i + 1;
      l(i, j) = i == j ? T(std::sqrt(std::real(sum))) : sum / l(j, j);
    }
  if (failed > 0)
    l.fill(notANumber<T>());
  else if (has(config, "upper"))
    l = adjoint(l);
  out.fill(0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      out(i, j) = l(i, j);
  if (n > 0 && has(config, "info"))
    out(0, n) = Long(failed);
}

template <typename T>
void triangularSolve(StringRef config, Inputs<T> in, Matrix<T> &out) {
  bool isTransposed = has(config, "transposed");
  out = in[1];
  substitute(isTransposed ? transposed(in[0]) : in[0], out,
             has(config, "upper") != isTransposed, has(config, "unit"));
}

template <typename T> void solve(StringRef, Inputs<T> in, Matrix<T> &out) {
  out = solveSystem(in[0], in[1]);
}

template <typename T>
void tridiagonalSolve(StringRef, Inputs<T> in, Matrix<T> &out) {
  int64_t n = in[0].columns;
  Matrix<T> a(n, n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < 3; ++k)
      if (int64_t j = i + k - 1; j >= 0 && j < n)
        a(i, j) = in[0](k, i);
  out = solveSystem(a, in[1]);
}

template <typename T> void lu(StringRef, Inputs<T> in, Matrix<T> &out) {
  Matrix<T> x = in[0];
  auto order = factor(x).first;
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j)
      out(i, j) = x(i, j);
    out(i, x.columns) = Long(order[i]);
  }
}

template <typename T> T determinantOf(Matrix<T> x) {
  T product = Long(factor(x).second);
  for (int64_t i = 0; i < x.rows; ++i)
    product *= x(i, i);
  return product;
}

template <typename T>
void determinant(StringRef config, Inputs<T> in, Matrix<T> &out) {
  if (!has(config, "logarithm")) {
    out.data = {determinantOf(in[0])};
    return;
  }
  Matrix<T> x = in[0];
  T sign = Long(factor(x).second);
  Long logarithm = 0;
  for (int64_t i = 0; i < x.rows; ++i) {
    T pivot = x(i, i);
    sign *= pivot == T(0) ? pivot : pivot / std::abs(pivot);
    logarithm += std::log(std::abs(pivot));
  }
  out.data = {sign, T(logarithm)};
}

/// Computes each cofactor by its definition.
template <typename T> void cofactors(StringRef, Inputs<T> in, Matrix<T> &out) {
  const Matrix<T> &x = in[0];
  int64_t n = x.rows;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      Matrix<T> rest(n - 1, n - 1);
      for (int64_t r = 0; r < n - 1; ++r)
        for (int64_t c = 0; c < n - 1; ++c)
          rest(r, c) = x(r + (r >= i), c + (c >= j));
      T minor = determinantOf(rest);
      out(i, j) = (i + j) % 2 ? -minor : minor;
    }
}

template <typename T> void qr(StringRef config, Inputs<T> in, Matrix<T> &out) {
  Matrix<T> r = in[0], q(r.rows, r.rows);
  int64_t m = r.rows, n = r.columns, least = std::min(m, n);
  int64_t k = has(config, "complete") ? m : least;
  for (int64_t i = 0; i < m; ++i)
    q(i, i) = 1;
  for (int64_t c = 0; c < least; ++c) {
    std::vector<T> v(m);
    Long tail = 0;
    for (int64_t i = c; i < m; ++i)
      v[i] = r(i, c);
    for (int64_t i = c + 1; i < m; ++i)
      tail += squareOf(v[i]);
    // No reflection is needed if the column is zero below its diagonal element
    // and that element is real.
    if (tail == 0 && std::imag(v[c]) == 0)
      continue;
    // With v = x - b e and a real b, the reflector I - v v^H / (v^H x) maps x
    // to b e.
    Long length = std::sqrt(tail + squareOf(v[c]));
    v[c] += std::copysign(length, std::real(v[c]));
    T scale = 0;
    for (int64_t i = c; i < m; ++i)
      scale += conjugate(v[i]) * r(i, c);
    auto reflect = [&](Matrix<T> &x, T by) {
      for (int64_t j = 0; j < x.columns; ++j) {
        T sum = 0;
        for (int64_t i = c; i < m; ++i)
          sum += conjugate(v[i]) * x(i, j);
        for (int64_t i = c; i < m; ++i)
          x(i, j) -= sum / by * v[i];
      }
    };
    reflect(r, scale);
    reflect(q, scale);
    r(c, c) = std::real(r(c, c));
  }
  q = adjoint(q); // q was the adjoint of the product of all reflectors
  out.fill(0);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < k; ++j)
      out(i, j) = q(i, j);
    for (int64_t j = i; i < least && j < n; ++j)
      out(i, k + j) = r(i, j);
  }
}

/// Multiplies column q of x by the conjugate of a phase, and then rotates
/// columns p and q.
template <typename T>
void rotate(Matrix<T> &x, int64_t p, int64_t q, Long c, Long s, T phase) {
  for (int64_t i = 0; i < x.rows; ++i) {
    T a = x(i, p), b = x(i, q) * conjugate(phase);
    x(i, p) = c * a - s * b;
    x(i, q) = s * a + c * b;
  }
}

/// Returns the rotation that makes an off-diagonal element 0 (Golub and Van
/// Loan, 8.5.2).
std::pair<Long, Long> jacobi(Long app, Long apq, Long aqq) {
  Long tau = (aqq - app) / (2 * apq);
  Long t = 1 / (std::abs(tau) + std::sqrt(1 + tau * tau));
  t = tau < 0 ? -t : t;
  Long c = 1 / std::sqrt(1 + t * t);
  return {c, t * c};
}

/// Computes singular values by one-sided Jacobi rotations of the columns of a
/// matrix that has at least as many rows as columns.
template <typename T>
void svdOfTall(Matrix<T> a, Matrix<T> &u, std::vector<Long> &s, Matrix<T> &v) {
  int64_t m = a.rows, n = a.columns;
  v = Matrix<T>(n, n);
  for (int64_t i = 0; i < n; ++i)
    v(i, i) = 1;
  bool again = true;
  for (int sweep = 0; sweep < kMaxSweeps && again; ++sweep) {
    again = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Long pp = 0, qq = 0;
        T pq = 0;
        for (int64_t i = 0; i < m; ++i) {
          pp += squareOf(a(i, p));
          pq += conjugate(a(i, p)) * a(i, q);
          qq += squareOf(a(i, q));
        }
        Long size = std::abs(pq);
        if (size == 0 || size <= kSmall * std::sqrt(pp * qq))
          continue;
        again = true;
        auto [c, t] = jacobi(pp, size, qq);
        rotate(a, p, q, c, t, pq / size);
        rotate(v, p, q, c, t, pq / size);
      }
  }
  s.assign(n, 0);
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i)
      s[j] += squareOf(a(i, j));
    s[j] = std::sqrt(s[j]);
  }
  llvm::sort(order, [&](int64_t i, int64_t j) {
    return std::pair(-s[i], i) < std::pair(-s[j], j);
  });
  Matrix<T> rotated = v;
  std::vector<Long> values = s;
  u = Matrix<T>(m, n);
  for (int64_t j = 0; j < n; ++j) {
    s[j] = values[order[j]];
    for (int64_t i = 0; i < n; ++i)
      v(i, j) = rotated(i, order[j]);
    for (int64_t i = 0; i < m; ++i)
      u(i, j) = a(i, order[j]);
  }
  // Makes columns of length 1 that are orthogonal to all earlier ones, also for
  // singular values of 0.
  for (int64_t j = 0; j < n; ++j) {
    bool isZero = !(s[j] > s[0] * kSmall);
    for (int64_t next = 0; next <= m; ++next) {
      if (isZero)
        for (int64_t i = 0; i < m; ++i)
          u(i, j) = Long(i == next);
      for (int twice = 0; twice < 2; ++twice)
        for (int64_t k = 0; k < j && isZero; ++k) {
          T sum = 0;
          for (int64_t i = 0; i < m; ++i)
            sum += conjugate(u(i, k)) * u(i, j);
          for (int64_t i = 0; i < m; ++i)
            u(i, j) -= sum * u(i, k);
        }
      Long length = 0;
      for (int64_t i = 0; i < m; ++i)
        length += squareOf(u(i, j));
      if (isZero && length < 1e-3L)
        continue;
      for (int64_t i = 0; i < m; ++i)
        u(i, j) /= std::sqrt(length);
      break;
    }
  }
}

template <typename T> void svd(StringRef, Inputs<T> in, Matrix<T> &out) {
  const Matrix<T> &x = in[0];
  int64_t m = x.rows, n = x.columns, k = std::min(m, n);
  if (k == 0)
    return;
  if (!x.isFinite())
    return out.fill(notANumber<T>());
  Matrix<T> u(0, 0), v(0, 0);
  std::vector<Long> s;
  if (m >= n)
    svdOfTall(x, u, s, v);
  else
    svdOfTall(adjoint(x), v, s, u);
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < m; ++i)
      out(i, j) = u(i, j);
    out(m, j) = s[j];
    for (int64_t i = 0; i < n; ++i)
      out(m + 1 + i, j) = v(i, j);
  }
}

template <typename T> void eigh(StringRef, Inputs<T> in, Matrix<T> &out) {
  int64_t n = in[0].rows;
  Matrix<T> a(n, n), v(n, n);
  for (int64_t i = 0; i < n; ++i) {
    v(i, i) = 1;
    for (int64_t j = 0; j < i; ++j) {
      a(i, j) = in[0](i, j);
      a(j, i) = conjugate(a(i, j));
    }
    a(i, i) = std::real(in[0](i, i));
  }
  if (!a.isFinite())
    return out.fill(notANumber<T>());
  Long largest = 0;
  for (T value : a.data)
    largest = std::max(largest, std::abs(value));
  bool again = true;
  for (int sweep = 0; sweep < kMaxSweeps && again; ++sweep) {
    again = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Long size = std::abs(a(p, q));
        if (size <= kSmall * largest)
          continue;
        again = true;
        T phase = a(p, q) / size;
        auto [c, s] = jacobi(std::real(a(p, p)), size, std::real(a(q, q)));
        rotate(a, p, q, c, s, phase);
        a = adjoint(a);
        rotate(a, p, q, c, s, phase);
        rotate(v, p, q, c, s, phase);
      }
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t i, int64_t j) {
    return std::pair(std::real(a(i, i)), i) < std::pair(std::real(a(j, j)), j);
  });
  for (int64_t j = 0; j < n; ++j) {
    out(0, j) = std::real(a(order[j], order[j]));
    for (int64_t i = 0; i < n; ++i)
      out(1 + i, j) = v(i, order[j]);
  }
}

template <typename T>
using Function = void (*)(StringRef, Inputs<T>, Matrix<T> &);

template <typename T> Function<T> functionOf(StringRef name) {
  static const StringMap<Function<T>> table = {
      {"linalg.cholesky", cholesky},
      {"linalg.triangular_solve", triangularSolve},
      {"linalg.solve", solve},
      {"linalg.tridiagonal_solve", tridiagonalSolve},
      {"linalg.lu", lu},
      {"linalg.determinant", determinant},
      {"linalg.cofactors", cofactors},
      {"linalg.qr", qr},
      {"linalg.svd", svd},
      {"linalg.eigh", eigh},
  };
  if constexpr (std::is_same_v<T, LongComplex>)
    if (name == "linalg.eig")
      return eig;
  return table.lookup(name);
}

/// Calls a function with elements that `read` and `write` convert: doubles, or
/// pairs of doubles.
template <typename T, typename Value, typename Read, typename Write>
bool callOn(StringRef name, StringRef config, ArrayRef<Array> inputs,
            Array &output, Read read, Write write) {
  Function<T> function = functionOf<T>(name);
  if (!function || inputs.empty() || inputs[0].shape.size() < 2)
    return false;
  size_t numBatch = inputs[0].shape.size() - 2;
  int64_t batch = 1;
  for (int64_t size : ArrayRef(inputs[0].shape).take_front(numBatch))
    batch *= size;
  auto emptyOf = [&](const Array &array) {
    // A vector is treated as one row, and a number as a 1x1 matrix.
    ArrayRef<int64_t> shape = ArrayRef(array.shape).drop_front(numBatch);
    return Matrix<T>(shape.size() > 1 ? shape[0] : 1,
                     shape.empty() ? 1 : shape.back());
  };
  std::vector<std::vector<Value>> values;
  for (const Array &input : inputs)
    values.push_back(read(input));
  std::vector<Value> results;
  for (int64_t i = 0; i < batch; ++i) {
    std::vector<Matrix<T>> matrices;
    for (auto [input, all] : zip(inputs, values)) {
      Matrix<T> m = emptyOf(input);
      std::copy_n(all.begin() + i * m.data.size(), m.data.size(),
                  m.data.begin());
      matrices.push_back(std::move(m));
    }
    Matrix<T> out = emptyOf(output);
    function(config, matrices, out);
    for (T value : out.data)
      results.push_back(static_cast<Value>(value));
  }
  write(output, results);
  return true;
}

/// As callOn, for complex numbers whose parts are the last dim.
bool callOnPairs(StringRef name, StringRef config, ArrayRef<Array> inputs,
                 Array &output) {
  auto swap = [](Array &array) {
    array.dtype = tx::complexOf(array.dtype);
    array.shape.pop_back();
  };
  std::vector<Array> numbers(inputs.begin(), inputs.end());
  llvm::for_each(numbers, swap);
  DType plane = output.dtype;
  swap(output);
  bool isKnown = callOn<LongComplex, Complex>(name, config, numbers, output,
                                              readComplex, writeComplex);
  output.dtype = plane;
  output.shape.push_back(2);
  return isKnown;
}

} // namespace

bool callLinearAlgebra(StringRef name, StringRef config, ArrayRef<Array> inputs,
                       Array &output) {
  if (has(config, "pairs"))
    return callOnPairs(name, config, inputs, output);
  if (tx::isComplex(output.dtype))
    return callOn<LongComplex, Complex>(name, config, inputs, output,
                                        readComplex, writeComplex);
  return callOn<Long, double>(name, config, inputs, output, read<double>,
                              write<double>);
}

} // namespace tensorc::reference
