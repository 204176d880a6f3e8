//===- Batches.h - Calls on batches of matrices -----------------*- C++ -*-===//
//
// The last two dims of a call's operands are a matrix, and the dims before them
// are a batch, which is split over the runtime's threads. A matrix is computed
// by one thread, so the bits do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_BATCHES_H
#define TENSORC_RUNTIME_LINALG_BATCHES_H

#include "runtime/linalg/Level.h"

#include <Eigen/Core>

#include <algorithm>
#include <complex>
#include <exception>
#include <limits>
#include <mutex>
#include <string_view>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
/// Matrix type with the row-major layout of buffers.
template <typename T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using In = Eigen::Map<const Rows<T>>;
template <typename T> using Out = Eigen::Map<Rows<T>>;

/// The real type of T: T itself, or for a complex T the type of its parts.
template <typename T> using Real = typename Eigen::NumTraits<T>::Real;

/// Returns NaN, or NaN in both parts.
template <typename T> T notANumber() {
  Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  if constexpr (Eigen::NumTraits<T>::IsComplex)
    return {nan, nan};
  else
    return nan;
}

/// True if the call's config contains this word.
inline bool has(const char *config, std::string_view word) {
  std::string_view rest(config);
  while (!rest.empty()) {
    size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == word)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

struct Shape {
  int64_t batch = 1, rows = 1, columns = 1;
  int64_t size() const { return rows * columns; }
};

/// Returns the shape of the matrices that follow `batch` dims. A vector counts
/// as one row, and a number as a 1x1 matrix.
inline Shape shapeOf(const tensorc_rt_array &array, int32_t batch) {
  Shape shape;
  for (int32_t i = 0; i < batch; ++i)
    shape.batch *= array.dims[i];
  if (array.rank > batch)
    shape.columns = array.dims[array.rank - 1];
  if (array.rank > batch + 1)
    shape.rows = array.dims[array.rank - 2];
  return shape;
}

/// The matrices of the operands and the result of a call. If there is only one
/// operand, the second one equals the first. The result's element type is R.
template <typename T, typename R = T> struct Call {
  explicit Call(const tensorc_rt_op_call &call) : config(call.config) {
    const tensorc_rt_array &first = call.inputs[0];
    const tensorc_rt_array &second = call.inputs[call.input_count - 1];
    int32_t batch = first.rank - 2;
    a = shapeOf(first, batch);
    b = shapeOf(second, batch);
    y = shapeOf(call.outputs[0], batch);
    x = static_cast<const T *>(first.data);
    z = static_cast<const T *>(second.data);
    out = static_cast<R *>(call.outputs[0].data);
  }

  const char *config;
  Shape a, b, y;
  const T *x, *z;
  R *out;
};

/// Calls body(begin, end) for parts of [0, extent) on the runtime's threads; on
/// one thread if there is little work.
template <typename Body>
void inParts(int64_t extent, double operations, const Body &body) {
  constexpr double worthAThread = 100'000;
  double each = std::max(operations, 1.0);
  if (static_cast<double>(extent) * each < 2 * worthAThread)
    return body(int64_t(0), extent);
  auto grain = static_cast<int64_t>(worthAThread / each);
  struct Shared {
    const Body &body;
    std::mutex mutex;
    std::exception_ptr failure;
  } shared{body, {}, nullptr};
  tensorc_rt_parallel_for(
      extent, std::max<int64_t>(grain, 1), tensorc_rt_num_threads(),
      [](void *context, int64_t begin, int64_t end, int32_t) {
        auto &shared = *static_cast<Shared *>(context);
        try {
          shared.body(begin, end);
        } catch (...) { // no memory
          std::scoped_lock lock(shared.mutex);
          shared.failure = std::current_exception();
        }
      },
      &shared);
  if (shared.failure)
    std::rethrow_exception(shared.failure);
}

template <typename T, typename R = T>
using Function = void (*)(const char *, const In<T> &, const In<T> &, Out<R>);

template <typename T, typename R, Function<T, R> function>
void runAll(const tensorc_rt_op_call &description) {
  Call<T, R> call(description);
  auto rows = static_cast<double>(call.a.rows);
  auto columns = static_cast<double>(call.a.columns + call.y.columns);
  inParts(call.a.batch, rows * rows * columns, [&](int64_t i, int64_t end) {
    for (; i < end; ++i)
      function(
          call.config,
          In<T>(call.x + i * call.a.size(), call.a.rows, call.a.columns),
          In<T>(call.z + i * call.b.size(), call.b.rows, call.b.columns),
          Out<R>(call.out + i * call.y.size(), call.y.rows, call.y.columns));
  });
}

/// Calls the first function for f32 or c64, the second one for f64 or c128.
/// dispatch() has already chosen between real and complex.
template <void (*ofFloats)(const tensorc_rt_op_call &),
          void (*ofDoubles)(const tensorc_rt_op_call &)>
tensorc_rt_status *run(const tensorc_rt_op_call *call) {
  tensorc_rt_dtype dtype = call->inputs[0].dtype;
  (dtype == TENSORC_RT_F32 || dtype == TENSORC_RT_C64 ? ofFloats
                                                      : ofDoubles)(*call);
  return nullptr;
}

/// The function of a custom call, which calls `fn` for each matrix of the batch:
/// fn<Single> if the first input is f32 or c64, fn<Double> if it is f64 or c128.
#define TENSORC_LINALG_OF(Single, Double, fn)                                  \
  run<runAll<Single, Single, fn<Single>>, runAll<Double, Double, fn<Double>>>

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_BATCHES_H
