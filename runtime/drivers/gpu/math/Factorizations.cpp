//===- Factorizations.cpp - linear algebra by a vendor's library ----------===//
#include "runtime/drivers/gpu/math/Factorizations.h"

#include "runtime/drivers/gpu/math/Run.h"

#include <array>
#include <climits>
#include <cmath>
#include <limits>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

template <typename T> Status Run<T>::cholesky() {
  const int n = rows;
  T *factor = nullptr, *identity = nullptr;
  int *info = nullptr;
  TENSORC_RT_TRY(copyMatrices(factor));
  TENSORC_RT_TRY(dropImaginary(factor));
  TENSORC_RT_TRY(makeIdentity(n, identity));
  TENSORC_RT_TRY(scratch(info, batch));
  if (batch > 1) {
    void **pointers = nullptr;
    TENSORC_RT_TRY(pointersTo(factor, a.count(), pointers));
    TENSORC_MATH(potrfBatched, solver, number.upper, n, pointers, n, info,
                 batch);
  } else {
    int size = 0;
    T *work = nullptr;
    TENSORC_MATH(potrfSize, solver, number.upper, n, factor, n, &size);
    TENSORC_RT_TRY(scratch(work, size));
    TENSORC_MATH(potrf, solver, number.upper, n, factor, n, work, size, info);
  }
  TENSORC_RT_TRY(fill(out, 0, batch * y.count()));
  int op = has(config, "upper") ? number.adjoint : number.none;
  for (int64_t i = 0; i < batch; ++i)
    TENSORC_RT_TRY(clearTriangle(op, n, factor + i * a.count(), n,
                                 out + i * y.count(), width, identity));
  std::vector<int> failed;
  std::vector<T> pivots, column(static_cast<size_t>(n));
  TENSORC_RT_TRY(readDiagonals(factor, a.count(), n + 1, pivots));
  TENSORC_RT_TRY(read(failed, info, batch));
  T *column0 = nullptr;
  for (int64_t i = 0; i < batch; ++i) {
    int at = failed[static_cast<size_t>(i)];
    // The library need not report a pivot that is NaN or infinite, so this loop
    // looks for them.
    for (int k = 0; at == 0 && k < n; ++k)
      if (!std::isfinite(std::abs(pivots[static_cast<size_t>(i * n + k)])))
        at = k + 1;
    if (at == 0)
      continue;
    TENSORC_RT_TRY(fill(out + i * y.count(),
                        std::numeric_limits<Real>::quiet_NaN(), y.count()));
    if (!has(config, "info"))
      continue;
    column[0] = T(static_cast<Real>(at));
    if (!column0)
      TENSORC_RT_TRY(scratch(column0, n));
    TENSORC_RT_TRY(write(column0, column));
    TENSORC_MATH(copy, blas, n, column0, 1, out + i * y.count() + n, width);
  }
  return Status();
}

template <typename T> Status Run<T>::triangularSolve() {
  const int n = rows, m = width;
  bool isTransposed = has(config, "transposed");
  int uplo = has(config, "upper") ? number.lower : number.upper;
  int diagonal = has(config, "unit") ? number.unit : number.nonUnit;
  T one(1);
  TENSORC_RT_TRY(copy(out, z, batch * b.count()));
  for (int64_t i = 0; i < batch; ++i)
    TENSORC_MATH(trsm, blas, number.right, uplo,
                 isTransposed ? number.transpose : number.none, diagonal, m, n,
                 &one, x + i * a.count(), n, out + i * y.count(), m);
  return Status();
}

template <typename T>
Status Run<T>::factorLu(T *matrices, int m, int n, int *&pivots) {
  int *info = nullptr;
  TENSORC_RT_TRY(scratch(pivots, int64_t(batch) * least));
  TENSORC_RT_TRY(scratch(info, batch));
  if (batch > 1 && m == n) {
    void **pointers = nullptr;
    TENSORC_RT_TRY(pointersTo(matrices, a.count(), pointers));
    TENSORC_MATH(getrfBatched, blas, n, pointers, n, pivots, info, batch);
    return Status();
  }
  int size = 0;
  T *work = nullptr;
  TENSORC_MATH(getrfSize, solver, m, n, matrices, m, &size);
  TENSORC_RT_TRY(scratch(work, size));
  for (int64_t i = 0; i < batch; ++i)
    TENSORC_MATH(getrf, solver, m, n, matrices + i * a.count(), m, work,
                 pivots + i * least, info + i);
  return Status();
}

/// Factorizes the transpose, because the matrix is row-major, and solves with
/// the transposed factors.
template <typename T> Status Run<T>::solve() {
  const int n = rows, m = width;
  T *factors = nullptr, *sides = out;
  int *pivots = nullptr, *info = nullptr;
  TENSORC_RT_TRY(copyMatrices(factors));
  TENSORC_RT_TRY(factorLu(factors, n, n, pivots));
  if (m == 1)
    TENSORC_RT_TRY(copy(out, z, batch * b.count()));
  else
    TENSORC_RT_TRY(scratch(sides, batch * b.count()));
  for (int64_t i = 0; m > 1 && i < batch; ++i)
    TENSORC_RT_TRY(turn(number.transpose, n, m, z + i * b.count(), m,
                        sides + i * b.count(), n));
  if (batch > 1) {
    void **ofFactors = nullptr, **ofSides = nullptr;
    TENSORC_RT_TRY(pointersTo(factors, a.count(), ofFactors));
    TENSORC_RT_TRY(pointersTo(sides, b.count(), ofSides));
    int invalid = 0;
    TENSORC_MATH(getrsBatched, blas, number.transpose, n, m, ofFactors, n,
                 pivots, ofSides, n, &invalid, batch);
  } else {
    TENSORC_RT_TRY(scratch(info, 1));
    TENSORC_MATH(getrs, solver, number.transpose, n, m, factors, n, pivots,
                 sides, n, info);
  }
  for (int64_t i = 0; m > 1 && i < batch; ++i)
    TENSORC_RT_TRY(turn(number.transpose, m, n, sides + i * b.count(), n,
                        out + i * y.count(), m));
  return Status();
}

template <typename T> Status Run<T>::lu() {
  T *factors = nullptr, *order = nullptr;
  int *pivots = nullptr;
  TENSORC_RT_TRY(scratch(factors, batch * a.count()));
  for (int64_t i = 0; i < batch; ++i)
    TENSORC_RT_TRY(turn(number.transpose, rows, columns, x + i * a.count(),
                        columns, factors + i * a.count(), rows));
  TENSORC_RT_TRY(factorLu(factors, rows, columns, pivots));
  std::vector<int> exchanged;
  TENSORC_RT_TRY(read(exchanged, pivots, int64_t(batch) * least));
  std::vector<T> orders(static_cast<size_t>(batch * a.rows));
  for (int64_t i = 0; i < batch; ++i) {
    T *own = orders.data() + i * rows;
    for (int k = 0; k < rows; ++k)
      own[k] = T(static_cast<Real>(k));
    for (int k = 0; k < least; ++k) // numbers from 1
      std::swap(own[k], own[exchanged[static_cast<size_t>(i * least + k)] - 1]);
  }
  TENSORC_RT_TRY(scratch(order, int64_t(batch) * rows));
  TENSORC_RT_TRY(write(order, orders));
  for (int64_t i = 0; i < batch; ++i) {
    T *to = out + i * y.count();
    TENSORC_RT_TRY(turn(number.transpose, columns, rows,
                        factors + i * a.count(), rows, to, width));
    TENSORC_MATH(copy, blas, rows, order + i * rows, 1, to + columns, width);
  }
  return Status();
}

/// The library operates on the transpose, which has the same determinant.
template <typename T> Status Run<T>::determinant() {
  T *factors = nullptr;
  int *pivots = nullptr;
  TENSORC_RT_TRY(copyMatrices(factors));
  TENSORC_RT_TRY(factorLu(factors, rows, rows, pivots));
  std::vector<int> exchanged;
  std::vector<T> diagonals, results;
  TENSORC_RT_TRY(readDiagonals(factors, a.count(), rows + 1, diagonals));
  TENSORC_RT_TRY(read(exchanged, pivots, int64_t(batch) * rows));
  for (size_t i = 0, n = static_cast<size_t>(rows); i < a.batch * n; i += n) {
    T sign(1), product(1);
    Real logarithm = 0;
    for (size_t k = 0; k < n; ++k) {
      T pivot = diagonals[i + k];
      T turned = exchanged[i + k] == static_cast<int>(k) + 1 ? T(1) : T(-1);
      Real magnitude = std::abs(pivot);
      product *= turned * pivot;
      sign *= magnitude == 0 ? pivot : turned * (pivot / magnitude);
      logarithm += std::log(magnitude);
    }
    if (has(config, "logarithm"))
      results.insert(results.end(), {sign, T(logarithm)});
    else
      results.push_back(product);
  }
  return write(out, results);
}

namespace {

constexpr std::array<std::string_view, 8> names{
    "cholesky", "triangular_solve", "solve", "lu", "determinant", "qr", "svd",
    "eigh"};

template <typename T>
Status dispatch(GpuStream &stream, GpuDevice &device,
                const MathEntryPoints &lib, const MathNumbers &number,
                const tensorc_rt_op_call &call, size_t function) {
  using Function = Status (Run<T>::*)();
  static constexpr Function functions[] = {
      &Run<T>::cholesky,    &Run<T>::triangularSolve,
      &Run<T>::solve,       &Run<T>::lu,
      &Run<T>::determinant, &Run<T>::qr,
      &Run<T>::svd,         &Run<T>::eigh};
  Run<T> run(stream, device, lib, number, call);
  return (run.*functions[function])();
}

/// True if all sizes of the call fit into the libraries' 32-bit integers.
bool fits(const tensorc_rt_op_call &call) {
  for (int i = 0; i < call.input_count + call.output_count; ++i) {
    const tensorc_rt_array &array = i < call.input_count
                                        ? call.inputs[i]
                                        : call.outputs[i - call.input_count];
    int64_t left = INT_MAX / 8;
    for (int32_t d = 0; d < array.rank; ++d) {
      if (array.dims[d] <= 0)
        return false;
      left /= array.dims[d];
    }
    if (left == 0)
      return false;
  }
  return call.input_count >= 1 && call.output_count == 1 &&
         call.inputs[0].rank >= 2;
}

} // namespace

Status gpu::callMathLibrary(GpuStream &stream, std::string_view function,
                            const tensorc_rt_op_call &call, bool &taken) {
  taken = false;
  auto &device = static_cast<GpuDevice &>(stream.device);
  auto found = std::find(names.begin(), names.end(), function);
  if (found == names.end() || !fits(call))
    return Status();
  TENSORC_GPU_SCOPE(device);
  MathLibrary &math = device.math.algebra;
  std::lock_guard lock(math.mutex);
  const MathLibraries *libraries = device.library.optional.math;
  const MathEntryPoints *lib = libraries ? math.open(*libraries) : nullptr;
  if (!lib)
    return Status();
  taken = true;
  if (math.setSolverStream(math.solver, stream.handle()) != success ||
      math.setBlasStream(math.blas, stream.handle()) != success)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s: the library for linear algebra does not take the stream",
                 device.name());
  auto index = static_cast<size_t>(found - names.begin());
  auto run = [&]<typename T>(T) {
    return dispatch<T>(stream, device, *lib, libraries->numbers, call, index);
  };
  switch (call.inputs[0].dtype) {
  case TENSORC_RT_F32:
    return run(float());
  case TENSORC_RT_F64:
    return run(double());
  case TENSORC_RT_C64:
    return run(std::complex<float>());
  case TENSORC_RT_C128:
    return run(std::complex<double>());
  default:
    taken = false;
    return Status();
  }
}
