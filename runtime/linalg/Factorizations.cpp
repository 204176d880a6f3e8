//===- Factorizations.cpp - Factorizations and solvers of real matrices ---===//
//
// One by one, and batches of small ones by Lanes.h. The number of rows alone
// decides which, so a matrix' bits do not depend on its batch. Compiled for
// each level.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Factorizations.h"
#include "runtime/linalg/Lanes.h"

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

namespace {

//===----------------------------------------------------------------------===//
// Small matrices
//===----------------------------------------------------------------------===//

/// x and z are one group, turned; the result is in one of them.
template <typename T>
using OfLanes = typename Lanes<T>::Vector *(*)(const char *config,
                                               typename Lanes<T>::Vector *x,
                                               typename Lanes<T>::Vector *z,
                                               int64_t n, int64_t m);

template <typename T>
typename Lanes<T>::Vector *
choleskyOfLanes(const char *config, typename Lanes<T>::Vector *x,
                typename Lanes<T>::Vector *, int64_t n, int64_t) {
  Lanes<T>::cholesky(x, n);
  if (has(config, "upper"))
    Lanes<T>::transpose(x, n);
  return x;
}

template <typename T>
typename Lanes<T>::Vector *
triangularSolveOfLanes(const char *config, typename Lanes<T>::Vector *x,
                       typename Lanes<T>::Vector *z, int64_t n, int64_t m) {
  bool isTransposed = has(config, "transposed");
  if (isTransposed)
    Lanes<T>::transpose(x, n);
  Lanes<T>::solveTriangle(x, z, n, m, has(config, "upper") != isTransposed,
                          has(config, "unit"));
  return z;
}

template <typename T>
typename Lanes<T>::Vector *
solveOfLanes(const char *, typename Lanes<T>::Vector *x,
             typename Lanes<T>::Vector *z, int64_t n, int64_t m) {
  Lanes<T>::solve(x, z, n, m);
  return z;
}

/// Of groups, or one by one where the matrices are too large.
template <typename T, OfLanes<T> ofGroup, Function<T> ofOne>
void runLanes(const tensorc_rt_op_call &description) {
  Call<T> call(description);
  int64_t n = call.a.rows, m = call.b.columns;
  if (n == 0 || n > kMostRows || m > kMostRows || call.y.columns != m)
    return runAll<T, T, ofOne>(description);
  constexpr int lanes = Lanes<T>::count;
  int64_t groups = (call.a.batch + lanes - 1) / lanes;
  auto each = static_cast<double>(n * n * (n + m));
  inParts(groups, each, [&](int64_t group, int64_t end) {
    using Vector = typename Lanes<T>::Vector;
    Vector x[kMostRows * kMostRows], z[kMostRows * kMostRows];
    for (; group < end; ++group) {
      int64_t first = group * lanes;
      int64_t used = std::min<int64_t>(lanes, call.a.batch - first);
      Lanes<T>::load(call.x + first * call.a.size(), call.a.size(), used, x);
      if (description.input_count > 1)
        Lanes<T>::load(call.z + first * call.b.size(), call.b.size(), used, z);
      Lanes<T>::store(ofGroup(call.config, x, z, n, m), call.y.size(), used,
                      call.out + first * call.y.size());
    }
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

#define TENSORC_OF_LANES(fn)                                                   \
  run<runLanes<float, fn##OfLanes<float>, fn<float>>,                          \
      runLanes<double, fn##OfLanes<double>, fn<double>>>

tensorc_rt_op_fn find(std::string_view name) {
  if (name == "cholesky")
    return TENSORC_OF_LANES(cholesky);
  if (name == "triangular_solve")
    return TENSORC_OF_LANES(triangularSolve);
  if (name == "solve")
    return TENSORC_OF_LANES(solve);
  if (name == "tridiagonal_solve")
    return TENSORC_LINALG_OF(float, double, tridiagonalSolve);
  if (name == "lu")
    return TENSORC_LINALG_OF(float, double, lu);
  if (name == "determinant")
    return TENSORC_LINALG_OF(float, double, determinant);
  if (name == "qr")
    return TENSORC_LINALG_OF(float, double, qr);
  return nullptr;
}

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL
