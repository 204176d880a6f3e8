//===- LinearAlgebra.cpp - Factorizations by plain loops ------------------===//

#include "ir/reference/LinearAlgebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace llvm;

namespace tensorc::reference {

namespace {

using Long = long double;
constexpr Long kNaN = std::numeric_limits<Long>::quiet_NaN();

struct Matrix {
  int64_t rows, columns;
  std::vector<Long> data;

  Matrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), data(rows * columns) {}
  Long &operator()(int64_t i, int64_t j) { return data[i * columns + j]; }
  Long operator()(int64_t i, int64_t j) const { return data[i * columns + j]; }
  bool isFinite() const {
    return all_of(data, [](Long v) { return std::isfinite(v); });
  }
};

Matrix transposed(const Matrix &x) {
  Matrix y(x.columns, x.rows);
  for (int64_t i = 0; i < x.rows; ++i)
    for (int64_t j = 0; j < x.columns; ++j)
      y(j, i) = x(i, j);
  return y;
}

void swapRows(Matrix &x, int64_t i, int64_t j) {
  for (int64_t k = 0; k < x.columns; ++k)
    std::swap(x(i, k), x(j, k));
}

/// Which row has the largest element of column k, from row k on.
int64_t pivotOf(const Matrix &x, int64_t k) {
  int64_t pivot = k;
  for (int64_t i = k + 1; i < x.rows; ++i)
    if (std::abs(x(i, k)) > std::abs(x(pivot, k)))
      pivot = i;
  return pivot;
}

/// L and U in place of x; the rows' order, and the sign of the exchanges.
std::pair<std::vector<int64_t>, int> factor(Matrix &x) {
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
    for (int64_t i = k + 1; i < x.rows && x(k, k) != 0; ++i) {
      Long factor = x(i, k) /= x(k, k);
      for (int64_t j = k + 1; j < x.columns; ++j)
        x(i, j) -= factor * x(k, j);
    }
  }
  return {order, sign};
}

/// y in place of b.
void substitute(const Matrix &a, Matrix &b, bool upper, bool unit) {
  for (int64_t step = 0; step < a.rows; ++step) {
    int64_t i = upper ? a.rows - 1 - step : step;
    int64_t first = upper ? i + 1 : 0, last = upper ? a.rows : i;
    for (int64_t c = 0; c < b.columns; ++c) {
      Long sum = b(i, c);
      for (int64_t j = first; j < last; ++j)
        sum -= a(i, j) * b(j, c);
      b(i, c) = unit ? sum : sum / a(i, i);
    }
  }
}

Matrix solveSystem(Matrix a, const Matrix &b) {
  auto order = factor(a).first;
  Matrix y(b.rows, b.columns);
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

using Inputs = ArrayRef<Matrix>;

void cholesky(StringRef config, Inputs in, Matrix &out) {
  const Matrix &x = in[0];
  Matrix l(x.rows, x.rows);
  bool failed = false;
  for (int64_t i = 0; i < x.rows; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      Long sum = x(i, j);
      for (int64_t k = 0; k < j; ++k)
        sum -= l(i, k) * l(j, k);
      if (i == j)
        failed |= !(sum > 0 && std::isfinite(sum));
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
    }
  if (failed)
    return std::fill(out.data.begin(), out.data.end(), kNaN);
  out = has(config, "upper") ? transposed(l) : l;
}

void triangularSolve(StringRef config, Inputs in, Matrix &out) {
  bool isTransposed = has(config, "transposed");
  out = in[1];
  substitute(isTransposed ? transposed(in[0]) : in[0], out,
             has(config, "upper") != isTransposed, has(config, "unit"));
}

void solve(StringRef, Inputs in, Matrix &out) {
  out = solveSystem(in[0], in[1]);
}

void tridiagonalSolve(StringRef, Inputs in, Matrix &out) {
  int64_t n = in[0].columns;
  Matrix a(n, n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < 3; ++k)
      if (int64_t j = i + k - 1; j >= 0 && j < n)
        a(i, j) = in[0](k, i);
  out = solveSystem(a, in[1]);
}

void lu(StringRef, Inputs in, Matrix &out) {
  Matrix x = in[0];
  auto order = factor(x).first;
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j)
      out(i, j) = x(i, j);
    out(i, x.columns) = order[i];
  }
}

void determinant(StringRef, Inputs in, Matrix &out) {
  Matrix x = in[0];
  Long product = factor(x).second, sign = product, logarithm = 0;
  for (int64_t i = 0; i < x.rows; ++i) {
    Long pivot = x(i, i);
    product *= pivot;
    sign *= pivot > 0 ? 1 : pivot < 0 ? -1 : pivot;
    logarithm += std::log(std::abs(pivot));
  }
  out.data = {sign, logarithm, product};
}

void qr(StringRef config, Inputs in, Matrix &out) {
  Matrix r = in[0], q(r.rows, r.rows);
  int64_t m = r.rows, n = r.columns, least = std::min(m, n);
  int64_t k = has(config, "complete") ? m : least;
  for (int64_t i = 0; i < m; ++i)
    q(i, i) = 1;
  for (int64_t c = 0; c < least; ++c) {
    std::vector<Long> v(m);
    Long tail = 0;
    for (int64_t i = c; i < m; ++i)
      v[i] = r(i, c);
    for (int64_t i = c + 1; i < m; ++i)
      tail += v[i] * v[i];
    // Nothing to reflect: the column is zero below its diagonal.
    if (tail == 0)
      continue;
    v[c] += std::copysign(std::sqrt(tail + v[c] * v[c]), v[c]);
    Long length = tail + v[c] * v[c];
    auto reflect = [&](auto at, int64_t count) {
      for (int64_t j = 0; j < count; ++j) {
        Long sum = 0;
        for (int64_t i = c; i < m; ++i)
          sum += v[i] * at(i, j);
        for (int64_t i = c; i < m; ++i)
          at(i, j) -= 2 * sum / length * v[i];
      }
    };
    reflect([&](int64_t i, int64_t j) -> Long & { return r(i, j); }, n);
    reflect([&](int64_t i, int64_t j) -> Long & { return q(j, i); }, m);
  }
  std::fill(out.data.begin(), out.data.end(), 0);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < k; ++j)
      out(i, j) = q(i, j);
    for (int64_t j = i; i < least && j < n; ++j)
      out(i, k + j) = r(i, j);
  }
}

/// Rotates columns p and q of x.
void rotate(Matrix &x, int64_t p, int64_t q, Long c, Long s) {
  for (int64_t i = 0; i < x.rows; ++i) {
    Long a = x(i, p), b = x(i, q);
    x(i, p) = c * a - s * b;
    x(i, q) = s * a + c * b;
  }
}

/// The rotation that makes an off-diagonal element 0 (Golub and Van
/// Loan, 8.5.2).
std::pair<Long, Long> jacobi(Long app, Long apq, Long aqq) {
  Long tau = (aqq - app) / (2 * apq);
  Long t = 1 / (std::abs(tau) + std::sqrt(1 + tau * tau));
  t = tau < 0 ? -t : t;
  Long c = 1 / std::sqrt(1 + t * t);
  return {c, t * c};
}

constexpr Long kSmall = 1e-19L;
constexpr int kMostSweeps = 60;

/// One-sided Jacobi on the columns of a matrix with at least as many rows.
void svdOfTall(Matrix a, Matrix &u, std::vector<Long> &s, Matrix &v) {
  int64_t m = a.rows, n = a.columns;
  v = Matrix(n, n);
  for (int64_t i = 0; i < n; ++i)
    v(i, i) = 1;
  bool again = true;
  for (int sweep = 0; sweep < kMostSweeps && again; ++sweep) {
    again = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Long pp = 0, pq = 0, qq = 0;
        for (int64_t i = 0; i < m; ++i) {
          pp += a(i, p) * a(i, p);
          pq += a(i, p) * a(i, q);
          qq += a(i, q) * a(i, q);
        }
        if (pq == 0 || std::abs(pq) <= kSmall * std::sqrt(pp * qq))
          continue;
        again = true;
        auto [c, t] = jacobi(pp, pq, qq);
        rotate(a, p, q, c, t);
        rotate(v, p, q, c, t);
      }
  }
  s.assign(n, 0);
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i)
      s[j] += a(i, j) * a(i, j);
    s[j] = std::sqrt(s[j]);
  }
  llvm::sort(order, [&](int64_t i, int64_t j) {
    return std::pair(-s[i], i) < std::pair(-s[j], j);
  });
  Matrix turned = v;
  std::vector<Long> values = s;
  u = Matrix(m, n);
  for (int64_t j = 0; j < n; ++j) {
    s[j] = values[order[j]];
    for (int64_t i = 0; i < n; ++i)
      v(i, j) = turned(i, order[j]);
    for (int64_t i = 0; i < m; ++i)
      u(i, j) = a(i, order[j]);
  }
  // Columns of length 1, orthogonal to those before, also where s is 0.
  for (int64_t j = 0; j < n; ++j) {
    bool isZero = !(s[j] > s[0] * kSmall);
    for (int64_t next = 0; next <= m; ++next) {
      if (isZero)
        for (int64_t i = 0; i < m; ++i)
          u(i, j) = i == next;
      for (int twice = 0; twice < 2; ++twice)
        for (int64_t k = 0; k < j && isZero; ++k) {
          Long sum = 0;
          for (int64_t i = 0; i < m; ++i)
            sum += u(i, k) * u(i, j);
          for (int64_t i = 0; i < m; ++i)
            u(i, j) -= sum * u(i, k);
        }
      Long length = 0;
      for (int64_t i = 0; i < m; ++i)
        length += u(i, j) * u(i, j);
      if (isZero && length < 1e-3L)
        continue;
      for (int64_t i = 0; i < m; ++i)
        u(i, j) /= std::sqrt(length);
      break;
    }
  }
}

void svd(StringRef, Inputs in, Matrix &out) {
  const Matrix &x = in[0];
  int64_t m = x.rows, n = x.columns, k = std::min(m, n);
  if (k == 0)
    return;
  if (!x.isFinite())
    return std::fill(out.data.begin(), out.data.end(), kNaN);
  Matrix u(0, 0), v(0, 0);
  std::vector<Long> s;
  if (m >= n)
    svdOfTall(x, u, s, v);
  else
    svdOfTall(transposed(x), v, s, u);
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < m; ++i)
      out(i, j) = u(i, j);
    out(m, j) = s[j];
    for (int64_t i = 0; i < n; ++i)
      out(m + 1 + i, j) = v(i, j);
  }
}

void eigh(StringRef, Inputs in, Matrix &out) {
  int64_t n = in[0].rows;
  Matrix a(n, n), v(n, n);
  for (int64_t i = 0; i < n; ++i) {
    v(i, i) = 1;
    for (int64_t j = 0; j <= i; ++j)
      a(i, j) = a(j, i) = in[0](i, j);
  }
  if (!a.isFinite())
    return std::fill(out.data.begin(), out.data.end(), kNaN);
  Long largest = 0;
  for (Long value : a.data)
    largest = std::max(largest, std::abs(value));
  bool again = true;
  for (int sweep = 0; sweep < kMostSweeps && again; ++sweep) {
    again = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        if (std::abs(a(p, q)) <= kSmall * largest)
          continue;
        again = true;
        auto [c, s] = jacobi(a(p, p), a(p, q), a(q, q));
        rotate(a, p, q, c, s);
        a = transposed(a);
        rotate(a, p, q, c, s);
        rotate(v, p, q, c, s);
      }
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t i, int64_t j) {
    return std::pair(a(i, i), i) < std::pair(a(j, j), j);
  });
  for (int64_t j = 0; j < n; ++j) {
    out(0, j) = a(order[j], order[j]);
    for (int64_t i = 0; i < n; ++i)
      out(1 + i, j) = v(i, order[j]);
  }
}

using Function = void (*)(StringRef, Inputs, Matrix &);

Function functionOf(StringRef name) {
  static const StringMap<Function> table = {
      {"linalg.cholesky", cholesky},
      {"linalg.triangular_solve", triangularSolve},
      {"linalg.solve", solve},
      {"linalg.tridiagonal_solve", tridiagonalSolve},
      {"linalg.lu", lu},
      {"linalg.determinant", determinant},
      {"linalg.qr", qr},
      {"linalg.svd", svd},
      {"linalg.eigh", eigh},
  };
  return table.lookup(name);
}

} // namespace

bool callLinearAlgebra(StringRef name, StringRef config, ArrayRef<Array> inputs,
                       Array &output) {
  Function function = functionOf(name);
  if (!function || inputs.empty())
    return false;
  ArrayRef<int64_t> first = inputs[0].shape;
  int64_t batch = 1;
  for (int64_t size : first.drop_back(2))
    batch *= size;
  auto emptyOf = [&](const Array &array) {
    // A determinant's numbers are one row.
    bool isList = array.shape.size() < first.size();
    ArrayRef<int64_t> shape = array.shape;
    return Matrix(isList ? 1 : shape[shape.size() - 2], shape.back());
  };
  std::vector<std::vector<double>> values;
  for (const Array &input : inputs)
    values.push_back(read<double>(input));
  std::vector<double> results;
  for (int64_t i = 0; i < batch; ++i) {
    std::vector<Matrix> matrices;
    for (auto [input, all] : zip(inputs, values)) {
      Matrix m = emptyOf(input);
      std::copy_n(all.begin() + i * m.data.size(), m.data.size(),
                  m.data.begin());
      matrices.push_back(std::move(m));
    }
    Matrix out = emptyOf(output);
    function(config, matrices, out);
    results.insert(results.end(), out.data.begin(), out.data.end());
  }
  write<double>(output, results);
  return true;
}

} // namespace tensorc::reference
