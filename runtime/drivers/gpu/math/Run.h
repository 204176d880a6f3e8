//===- Run.h - one call of a vendor's linear algebra ------------*- C++ -*-===//
//
// Buffers are row-major, but the libraries are column-major: to them a matrix
// is its transpose, with the lower triangle as the upper one. In comments
// "column" means the libraries' columns. Transposes and the clearing of
// triangles use the libraries' products and copies, because the runtime has no
// kernels. Failures become NaN; to detect them the host waits for a few
// numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_RUN_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_RUN_H

#include "runtime/core/Buffer.h"
#include "runtime/drivers/gpu/GpuStream.h"

#include <algorithm>
#include <bit>
#include <complex>

#define TENSORC_MATH(function, handle, ...)                                    \
  TENSORC_RT_TRY(                                                              \
      this->checked(lib.function[kind](handle, __VA_ARGS__), #function))

namespace tensorc::rt::gpu {

template <typename T> struct Parts {
  using Real = T;
  static constexpr int count = 1;
};
template <typename T> struct Parts<std::complex<T>> {
  using Real = T;
  static constexpr int count = 2;
};

/// True if the call's config contains the word.
inline bool has(std::string_view config, std::string_view word) {
  while (!config.empty()) {
    size_t end = std::min(config.find(' '), config.size());
    if (config.substr(0, end) == word)
      return true;
    config.remove_prefix(std::min(end + 1, config.size()));
  }
  return false;
}

struct Sizes {
  int64_t batch = 1, rows = 1, columns = 1;
  int64_t count() const { return rows * columns; }
};

/// Returns the sizes of the matrices that follow the given number of batch
/// dims, as runtime/linalg does.
inline Sizes sizesOf(const tensorc_rt_array &array, int32_t batch) {
  Sizes sizes;
  for (int32_t i = 0; i < batch; ++i)
    sizes.batch *= array.dims[i];
  if (array.rank > batch)
    sizes.columns = array.dims[array.rank - 1];
  if (array.rank > batch + 1)
    sizes.rows = array.dims[array.rank - 2];
  return sizes;
}

/// One call with elements of type T. Its scratch memory is freed in the
/// stream's order.
template <typename T> class Run {
public:
  using Real = typename Parts<T>::Real;
  static constexpr int parts = Parts<T>::count;
  static constexpr int realKind = sizeof(Real) == 4 ? 0 : 1;
  static constexpr int kind = realKind + (parts == 2 ? 2 : 0);

  Run(GpuStream &stream, GpuDevice &device, const MathEntryPoints &lib,
      const MathNumbers &number, const tensorc_rt_op_call &call)
      : stream(stream), device(device), lib(lib), number(number),
        solver(device.math.algebra.solver), blas(device.math.algebra.blas),
        config(call.config) {
    const tensorc_rt_array &first = call.inputs[0];
    const tensorc_rt_array &second = call.inputs[call.input_count - 1];
    int32_t dims = first.rank - 2;
    a = sizesOf(first, dims);
    b = sizesOf(second, dims);
    y = sizesOf(call.outputs[0], dims);
    x = static_cast<T *>(first.data);
    z = static_cast<T *>(second.data);
    out = static_cast<T *>(call.outputs[0].data);
    batch = static_cast<int>(a.batch);
    rows = static_cast<int>(a.rows);
    columns = static_cast<int>(a.columns);
    least = std::min(rows, columns);
    width = static_cast<int>(y.columns);
  }
  Run(const Run &) = delete;
  ~Run() { stream.retire(std::move(buffers), nullptr); }

  Status cholesky();
  Status triangularSolve();
  Status solve();
  Status lu();
  Status determinant();
  Status qr();
  Status svd();
  Status eigh();

private:
  // Allocation of scratch memory and copies to the host
  template <typename E> Status scratch(E *&data, int64_t count);
  template <typename E>
  Status read(std::vector<E> &to, const E *from, int64_t count) {
    to.resize(static_cast<size_t>(count));
    return stream.read(to.data(), from, to.size() * sizeof(E));
  }
  template <typename E> Status write(E *to, const std::vector<E> &from) {
    return stream.write(to, from.data(), from.size() * sizeof(E));
  }
  Status fill(T *to, Real value, int64_t count) {
    uint64_t pattern;
    if constexpr (sizeof(Real) == 4)
      pattern = std::bit_cast<uint32_t>(value);
    else
      pattern = std::bit_cast<uint64_t>(value);
    return stream.fill(to, pattern, sizeof(Real),
                       static_cast<size_t>(count) * sizeof(T));
  }
  Status copy(T *to, const T *from, int64_t count) {
    return stream.copy(to, from, static_cast<size_t>(count) * sizeof(T),
                       CopyKind::DeviceToDevice);
  }
  Status copyMatrices(T *&to) {
    TENSORC_RT_TRY(scratch(to, batch * a.count()));
    return copy(to, x, batch * a.count());
  }
  Status checked(int result, const char *function) {
    if (result == success)
      return Status();
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s: the library for linear algebra gives %d for %s",
                 device.name(), result, function);
  }

  // Steps that several functions share. This one stores op(from), an m x n
  // matrix, in the columns of `to`.
  Status turn(int op, int m, int n, const T *from, int ldf, T *to, int ldt) {
    T one(1), zero(0);
    TENSORC_MATH(geam, blas, op, number.none, m, n, &one, from, ldf, &zero, to,
                 ldt, to, ldt);
    return Status();
  }
  /// Copies strided real numbers, such as the real parts of complex numbers.
  Status copyReal(int count, const void *from, int stepFrom, void *to,
                  int stepTo) {
    return checked(lib.copy[realKind](blas, count, from, stepFrom, to, stepTo),
                   "copy");
  }
  Status makeIdentity(int n, T *&identity);
  /// Copies op(upper triangle) of a column-major matrix, with zeros elsewhere.
  Status clearTriangle(int op, int n, const T *from, int ldf, T *to, int ldt,
                       const T *identity) {
    T one(1);
    TENSORC_MATH(trmm, blas, number.left, number.upper, op, number.nonUnit, n,
                 n, &one, from, ldf, identity, n, to, ldt);
    return Status();
  }
  /// Clears the imaginary parts of the diagonals of Hermitian matrices. They
  /// must be ignored.
  Status dropImaginary(T *matrices);
  Status readDiagonals(const T *matrices, int64_t size, int step,
                       std::vector<T> &diagonals);
  Status pointersTo(T *matrices, int64_t size, void **&pointers);
  /// Factorizes m x n column-major matrices in place.
  Status factorLu(T *matrices, int m, int n, int *&pivots);

  GpuStream &stream;
  GpuDevice &device;
  const MathEntryPoints &lib;
  const MathNumbers &number;
  const MathHandle solver, blas;
  const std::string_view config;
  std::vector<Buffer *> buffers;
  Sizes a, b, y;
  T *x, *z, *out;
  int batch, rows, columns, least, width;
};

template <typename T>
template <typename E>
Status Run<T>::scratch(E *&data, int64_t count) {
  buffers.reserve(buffers.size() + 1);
  Buffer *buffer = nullptr;
  TENSORC_RT_TRY(device.allocator.allocate(
      static_cast<size_t>(std::max<int64_t>(count, 1)) * sizeof(E), buffer,
      stream.id));
  buffers.push_back(buffer);
  data = static_cast<E *>(buffer->data);
  return Status();
}

template <typename T> Status Run<T>::makeIdentity(int n, T *&identity) {
  T *ones = nullptr;
  TENSORC_RT_TRY(scratch(identity, int64_t(n) * n));
  TENSORC_RT_TRY(scratch(ones, n));
  TENSORC_RT_TRY(fill(identity, 0, int64_t(n) * n));
  TENSORC_RT_TRY(fill(ones, 1, n));
  return copyReal(n, ones, parts, identity, parts * (n + 1));
}

template <typename T> Status Run<T>::dropImaginary(T *matrices) {
  if (parts == 1)
    return Status();
  T *zeros = nullptr;
  TENSORC_RT_TRY(scratch(zeros, rows));
  TENSORC_RT_TRY(fill(zeros, 0, rows));
  for (int i = 0; i < batch; ++i)
    TENSORC_RT_TRY(copyReal(rows, zeros, parts,
                            reinterpret_cast<Real *>(matrices + i * a.count()) +
                                (parts - 1),
                            parts * (rows + 1)));
  return Status();
}

template <typename T>
Status Run<T>::readDiagonals(const T *matrices, int64_t size, int step,
                             std::vector<T> &diagonals) {
  T *gathered = nullptr;
  TENSORC_RT_TRY(scratch(gathered, int64_t(batch) * least));
  for (int64_t i = 0; i < batch; ++i)
    TENSORC_MATH(copy, blas, least, matrices + i * size, step,
                 gathered + i * least, 1);
  return read(diagonals, gathered, int64_t(batch) * least);
}

template <typename T>
Status Run<T>::pointersTo(T *matrices, int64_t size, void **&pointers) {
  std::vector<void *> list(static_cast<size_t>(batch));
  for (size_t i = 0; i < list.size(); ++i)
    list[i] = matrices + static_cast<int64_t>(i) * size;
  TENSORC_RT_TRY(scratch(pointers, batch));
  return write(pointers, list);
}

} // namespace tensorc::rt::gpu

#endif
