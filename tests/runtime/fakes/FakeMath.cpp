//===- FakeMath.cpp - cuSOLVER and cuBLAS, hipSOLVER and hipBLAS ----------===//
//
// The libraries' entry points over matrices in a fake GPU's memory, in stream
// order; FakeMatrices does the arithmetic. What the real libraries refuse is
// refused: leading dimensions and workspaces that are too small, enumerators of
// the other vendor, more columns than rows in gesvd, memory that is not the
// device's.
//
//===----------------------------------------------------------------------===//
#include "EntryPoints.h"
#include "matrices/FakeMatrices.h"

#include "runtime/drivers/gpu/math/MathApi.h"

#include <algorithm>
#include <complex>
#include <limits>

using namespace tensorc::fakes;
using namespace tensorc::rt::gpu;

namespace {

#ifdef FAKE_CUDA
constexpr MathNumbers number = {0, 1, 2, 0, 1, 0, 1, 0, 1, 1};
#define SOLVER(letter, name) cusolverDn##letter##name
#define BLAS(letter, name) cublas##letter##name
#define NEWER(letter, name) cublas##letter##name##_v2
#else
constexpr MathNumbers number = {111, 112, 113, 122, 121,
                                141, 142, 131, 132, 202};
#define SOLVER(letter, name) hipsolverDn##letter##name
#define BLAS(letter, name) hipblas##letter##name
#define NEWER(letter, name) hipblas##letter##name
#endif

constexpr int refused = 3; // CUSOLVER_STATUS_INVALID_VALUE

struct Handle {
  FakeStream *stream = nullptr;
};
FakeStream *streamOf(MathHandle handle) {
  return handle ? reinterpret_cast<Handle *>(handle)->stream : nullptr;
}
int create(MathHandle *out) {
  *out = reinterpret_cast<MathHandle>(new Handle);
  return success;
}
int setStream(MathHandle handle, Stream_t stream) {
  reinterpret_cast<Handle *>(handle)->stream =
      reinterpret_cast<FakeStream *>(stream);
  return success;
}

/// Memory of the device as the host has it, for one task.
struct Memory {
  FakeDevice &device;
  bool isBad = false;

  template <typename T> T *numbers(const void *data, int64_t count) {
    char *host =
        device.memory.host(data, static_cast<size_t>(count) * sizeof(T));
    if (!host && count > 0) {
      device.fail(illegalAddress);
      isBad = true;
    }
    return reinterpret_cast<T *>(host);
  }
  template <typename T>
  Columns<T> matrix(const void *data, int m, int n, int ld) {
    int64_t count = n == 0 ? 0 : int64_t(ld) * (n - 1) + m;
    return {numbers<T>(data, count), m, n, ld};
  }
  /// As the library may leave it.
  template <typename T> void spoil(void *work, int size) {
    if (T *at = numbers<T>(work, size))
      std::fill_n(at, size, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  }
};

template <typename Body> int queue(MathHandle handle, Body body) {
  FakeStream *stream = streamOf(handle);
  if (!stream)
    return 1; // not initialized
  stream->enqueue([&device = stream->device, body] {
    Memory memory{device};
    body(memory);
  });
  return success;
}

bool isOp(int op) {
  return op == number.none || op == number.transpose || op == number.adjoint;
}

Op opOf(int op) {
  return op == number.none        ? Op::none
         : op == number.transpose ? Op::transpose
                                  : Op::adjoint;
}

/// How much work space each asks for.
int sizeFor(int n) { return 7 * n + 3; }

int giveSize(MathHandle handle, int n, int *size) {
  *size = sizeFor(n);
  return streamOf(handle) ? success : 1;
}

//===----------------------------------------------------------------------===//
// Factorizations
//===----------------------------------------------------------------------===//

template <typename T>
int potrf(MathHandle handle, int uplo, int n, void *a, int lda, void *work,
          int size, int *info) {
  if (uplo != number.upper || n < 0 || lda < n || size < sizeFor(n))
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, size);
    auto matrix = memory.matrix<T>(a, n, n, lda);
    int *failed = memory.numbers<int>(info, 1);
    if (!memory.isBad)
      *failed = factorUpper(matrix);
  });
}

template <typename T>
int potrfBatched(MathHandle handle, int uplo, int n, void **list, int lda,
                 int *info, int batch) {
  if (uplo != number.upper || n < 0 || lda < n || batch < 0)
    return refused;
  return queue(handle, [=](Memory &memory) {
    void **all = memory.numbers<void *>(list, batch);
    int *failed = memory.numbers<int>(info, batch);
    for (int i = 0; !memory.isBad && i < batch; ++i) {
      auto matrix = memory.matrix<T>(all[i], n, n, lda);
      if (!memory.isBad)
        failed[i] = factorUpper(matrix);
    }
  });
}

template <typename T>
int getrf(MathHandle handle, int m, int n, void *a, int lda, void *work,
          int *pivots, int *info) {
  if (m < 0 || n < 0 || lda < m)
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, sizeFor(n));
    auto matrix = memory.matrix<T>(a, m, n, lda);
    int *exchanged = memory.numbers<int>(pivots, std::min(m, n));
    int *failed = memory.numbers<int>(info, 1);
    if (!memory.isBad)
      *failed = factorLu(matrix, exchanged);
  });
}

template <typename T>
int getrfBatched(MathHandle handle, int n, void *const *list, int lda,
                 int *pivots, int *info, int batch) {
  if (n < 0 || lda < n || batch < 0)
    return refused;
  return queue(handle, [=](Memory &memory) {
    void **all = memory.numbers<void *>(list, batch);
    int *exchanged = memory.numbers<int>(pivots, int64_t(n) * batch);
    int *failed = memory.numbers<int>(info, batch);
    for (int i = 0; !memory.isBad && i < batch; ++i) {
      auto matrix = memory.matrix<T>(all[i], n, n, lda);
      if (!memory.isBad)
        failed[i] = factorLu(matrix, exchanged + int64_t(i) * n);
    }
  });
}

template <typename T>
int getrs(MathHandle handle, int op, int n, int sides, const void *a, int lda,
          const int *pivots, void *b, int ldb, int *info) {
  if (op != number.transpose || n < 0 || lda < n || ldb < n)
    return refused;
  return queue(handle, [=](Memory &memory) {
    auto factors = memory.matrix<T>(a, n, n, lda);
    auto right = memory.matrix<T>(b, n, sides, ldb);
    int *exchanged = memory.numbers<int>(pivots, n);
    int *failed = memory.numbers<int>(info, 1);
    if (memory.isBad)
      return;
    solveLu(factors, exchanged, right);
    *failed = 0;
  });
}

template <typename T>
int getrsBatched(MathHandle handle, int op, int n, int sides,
                 const void *const *a, int lda, const int *pivots,
                 void *const *b, int ldb, int *hostInfo, int batch) {
  if (op != number.transpose || n < 0 || lda < n || ldb < n || !hostInfo)
    return refused;
  *hostInfo = 0;
  return queue(handle, [=](Memory &memory) {
    void **factors = memory.numbers<void *>(a, batch);
    void **right = memory.numbers<void *>(b, batch);
    int *exchanged = memory.numbers<int>(pivots, int64_t(n) * batch);
    for (int i = 0; !memory.isBad && i < batch; ++i) {
      auto own = memory.matrix<T>(factors[i], n, n, lda);
      auto sidesOf = memory.matrix<T>(right[i], n, sides, ldb);
      if (!memory.isBad)
        solveLu(own, exchanged + int64_t(i) * n, sidesOf);
    }
  });
}

template <typename T>
int geqrf(MathHandle handle, int m, int n, void *a, int lda, void *factors,
          void *work, int size, int *info) {
  if (m < 0 || n < 0 || lda < m || size < sizeFor(n))
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, size);
    auto matrix = memory.matrix<T>(a, m, n, lda);
    T *tau = memory.numbers<T>(factors, std::min(m, n));
    int *failed = memory.numbers<int>(info, 1);
    if (memory.isBad)
      return;
    factorQr(matrix, tau);
    *failed = 0;
  });
}

template <typename T>
int orgqr(MathHandle handle, int m, int n, int k, void *a, int lda,
          const void *factors, void *work, int size, int *info) {
  if (n > m || k > n || lda < m || size < sizeFor(n))
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, size);
    auto matrix = memory.matrix<T>(a, m, n, lda);
    T *tau = memory.numbers<T>(factors, k);
    int *failed = memory.numbers<int>(info, 1);
    if (memory.isBad)
      return;
    formQ(matrix, tau, k);
    *failed = 0;
  });
}

template <typename T>
int gesvd(MathHandle handle, signed char left, signed char right, int m, int n,
          void *a, int lda, void *s, void *u, int ldu, void *v, int ldv,
          void *work, int size, int *info) {
  if (left != 'S' || right != 'S' || m < n || lda < m || ldu < m || ldv < n ||
      size < sizeFor(n))
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, size);
    auto matrix = memory.matrix<T>(a, m, n, lda);
    auto toU = memory.matrix<T>(u, m, n, ldu);
    auto toV = memory.matrix<T>(v, n, n, ldv);
    auto *values = memory.numbers<Real<T>>(s, n);
    int *failed = memory.numbers<int>(info, 1);
    if (memory.isBad)
      return;
    *failed = decomposeSingular(matrix, values, toU, toV);
  });
}

template <typename T>
int syevd(MathHandle handle, int vectors, int uplo, int n, void *a, int lda,
          void *w, void *work, int size, int *info) {
  if (vectors != number.vectors || uplo != number.upper || lda < n ||
      size < sizeFor(n))
    return refused;
  return queue(handle, [=](Memory &memory) {
    memory.spoil<T>(work, size);
    auto matrix = memory.matrix<T>(a, n, n, lda);
    auto *values = memory.numbers<Real<T>>(w, n);
    int *failed = memory.numbers<int>(info, 1);
    if (memory.isBad)
      return;
    *failed = decomposeSymmetric(matrix, values);
  });
}

//===----------------------------------------------------------------------===//
// Products and copies
//===----------------------------------------------------------------------===//

/// With a beta of 0, as which b is not read.
template <typename T>
int geam(MathHandle handle, int opA, int opB, int m, int n, const void *alpha,
         const void *a, int lda, const void *beta, const void *b, int ldb,
         void *c, int ldc) {
  bool isTransposed = opA != number.none;
  if (!isOp(opA) || opB != number.none || lda < (isTransposed ? n : m) ||
      ldb < m || ldc < m || *static_cast<const T *>(beta) != T(0) ||
      (b == c && ldb != ldc))
    return refused;
  return queue(handle,
               [=, alpha = *static_cast<const T *>(alpha)](Memory &memory) {
                 auto from = memory.matrix<T>(a, isTransposed ? n : m,
                                              isTransposed ? m : n, lda);
                 auto to = memory.matrix<T>(c, m, n, ldc);
                 if (!memory.isBad)
                   scale(alpha, opOf(opA), from, to);
               });
}

bool isTriangle(int side, int uplo, int op, int diagonal) {
  return (side == number.left || side == number.right) &&
         (uplo == number.upper || uplo == number.lower) && isOp(op) &&
         (diagonal == number.unit || diagonal == number.nonUnit);
}

Triangle triangleOf(int uplo, int diagonal) {
  return {uplo == number.upper, diagonal == number.unit};
}

template <typename T>
int trmm(MathHandle handle, int side, int uplo, int op, int diagonal, int m,
         int n, const void *alpha, const void *a, int lda, const void *b,
         int ldb, void *c, int ldc) {
  if (!isTriangle(side, uplo, op, diagonal) || side != number.left || lda < m ||
      ldb < m || ldc < m)
    return refused;
  return queue(handle,
               [=, alpha = *static_cast<const T *>(alpha)](Memory &memory) {
                 auto from = memory.matrix<T>(a, m, m, lda);
                 auto other = memory.matrix<T>(b, m, n, ldb);
                 auto to = memory.matrix<T>(c, m, n, ldc);
                 if (!memory.isBad)
                   multiplyTriangle(alpha, opOf(op), triangleOf(uplo, diagonal),
                                    from, other, to);
               });
}

template <typename T>
int trsm(MathHandle handle, int side, int uplo, int op, int diagonal, int m,
         int n, const void *alpha, const void *a, int lda, void *b, int ldb) {
  if (!isTriangle(side, uplo, op, diagonal) || side != number.right ||
      lda < n || ldb < m || *static_cast<const T *>(alpha) != T(1))
    return refused;
  return queue(handle, [=](Memory &memory) {
    auto from = memory.matrix<T>(a, n, n, lda);
    auto to = memory.matrix<T>(b, m, n, ldb);
    if (!memory.isBad)
      solveTriangle(opOf(op), triangleOf(uplo, diagonal), from, to);
  });
}

template <typename T>
int copy(MathHandle handle, int n, const void *x, int stepX, void *y,
         int stepY) {
  if (stepX < 1 || stepY < 1)
    return refused;
  return queue(handle, [=](Memory &memory) {
    T *from = memory.numbers<T>(x, int64_t(n - 1) * stepX + 1);
    T *to = memory.numbers<T>(y, int64_t(n - 1) * stepY + 1);
    for (int64_t i = 0; !memory.isBad && i < n; ++i)
      to[i * stepY] = from[i * stepX];
  });
}

} // namespace

extern "C" {

#ifdef FAKE_CUDA
FAKE_EXPORT int cusolverDnCreate(MathHandle *out) { return create(out); }
FAKE_EXPORT int cublasCreate_v2(MathHandle *out) { return create(out); }
FAKE_EXPORT int cusolverDnSetStream(MathHandle handle, Stream_t stream) {
  return setStream(handle, stream);
}
FAKE_EXPORT int cublasSetStream_v2(MathHandle handle, Stream_t stream) {
  return setStream(handle, stream);
}
#else
FAKE_EXPORT int hipsolverDnCreate(MathHandle *out) { return create(out); }
FAKE_EXPORT int hipblasCreate(MathHandle *out) { return create(out); }
FAKE_EXPORT int hipsolverDnSetStream(MathHandle handle, Stream_t stream) {
  return setStream(handle, stream);
}
FAKE_EXPORT int hipblasSetStream(MathHandle handle, Stream_t stream) {
  return setStream(handle, stream);
}
#endif

#define OF_TYPE(L, T, reflections, spectrum)                                   \
  FAKE_EXPORT int SOLVER(L, potrf_bufferSize)(MathHandle h, int, int n,        \
                                              void *, int, int *size) {        \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, potrf)(MathHandle h, int uplo, int n, void *a,     \
                                   int lda, void *work, int size, int *info) { \
    return potrf<T>(h, uplo, n, a, lda, work, size, info);                     \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, potrfBatched)(MathHandle h, int uplo, int n,       \
                                          void **a, int lda, int *info,        \
                                          int batch) {                         \
    return potrfBatched<T>(h, uplo, n, a, lda, info, batch);                   \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, getrf_bufferSize)(MathHandle h, int, int n,        \
                                              void *, int, int *size) {        \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, getrf)(MathHandle h, int m, int n, void *a,        \
                                   int lda, void *work, int *pivots,           \
                                   int *info) {                                \
    return getrf<T>(h, m, n, a, lda, work, pivots, info);                      \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, getrs)(MathHandle h, int op, int n, int sides,     \
                                   const void *a, int lda, const int *pivots,  \
                                   void *b, int ldb, int *info) {              \
    return getrs<T>(h, op, n, sides, a, lda, pivots, b, ldb, info);            \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, geqrf_bufferSize)(MathHandle h, int, int n,        \
                                              void *, int, int *size) {        \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, geqrf)(MathHandle h, int m, int n, void *a,        \
                                   int lda, void *factors, void *work,         \
                                   int size, int *info) {                      \
    return geqrf<T>(h, m, n, a, lda, factors, work, size, info);               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, reflections##qr_bufferSize)(                       \
      MathHandle h, int, int n, int, const void *, int, const void *,          \
      int *size) {                                                             \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, reflections##qr)(                                  \
      MathHandle h, int m, int n, int k, void *a, int lda,                     \
      const void *factors, void *work, int size, int *info) {                  \
    return orgqr<T>(h, m, n, k, a, lda, factors, work, size, info);            \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, gesvd_bufferSize)(MathHandle h, int, int n,        \
                                              int *size) {                     \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, gesvd)(                                            \
      MathHandle h, signed char left, signed char right, int m, int n,         \
      void *a, int lda, void *s, void *u, int ldu, void *v, int ldv,           \
      void *work, int size, void *, int *info) {                               \
    return gesvd<T>(h, left, right, m, n, a, lda, s, u, ldu, v, ldv, work,     \
                    size, info);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, spectrum##evd_bufferSize)(                         \
      MathHandle h, int, int, int n, const void *, int, const void *,          \
      int *size) {                                                             \
    return giveSize(h, n, size);                                               \
  }                                                                            \
  FAKE_EXPORT int SOLVER(L, spectrum##evd)(                                    \
      MathHandle h, int vectors, int uplo, int n, void *a, int lda, void *w,   \
      void *work, int size, int *info) {                                       \
    return syevd<T>(h, vectors, uplo, n, a, lda, w, work, size, info);         \
  }                                                                            \
  FAKE_EXPORT int BLAS(L, getrfBatched)(MathHandle h, int n, void *const *a,   \
                                        int lda, int *pivots, int *info,       \
                                        int batch) {                           \
    return getrfBatched<T>(h, n, a, lda, pivots, info, batch);                 \
  }                                                                            \
  FAKE_EXPORT int BLAS(L, getrsBatched)(                                       \
      MathHandle h, int op, int n, int sides, const void *const *a, int lda,   \
      const int *pivots, void *const *b, int ldb, int *info, int batch) {      \
    return getrsBatched<T>(h, op, n, sides, a, lda, pivots, b, ldb, info,      \
                           batch);                                             \
  }                                                                            \
  FAKE_EXPORT int BLAS(L, geam)(MathHandle h, int opA, int opB, int m, int n,  \
                                const void *alpha, const void *a, int lda,     \
                                const void *beta, const void *b, int ldb,      \
                                void *c, int ldc) {                            \
    return geam<T>(h, opA, opB, m, n, alpha, a, lda, beta, b, ldb, c, ldc);    \
  }                                                                            \
  FAKE_EXPORT int NEWER(L, trmm)(MathHandle h, int side, int uplo, int op,     \
                                 int diagonal, int m, int n,                   \
                                 const void *alpha, const void *a, int lda,    \
                                 const void *b, int ldb, void *c, int ldc) {   \
    return trmm<T>(h, side, uplo, op, diagonal, m, n, alpha, a, lda, b, ldb,   \
                   c, ldc);                                                    \
  }                                                                            \
  FAKE_EXPORT int NEWER(L, trsm)(                                              \
      MathHandle h, int side, int uplo, int op, int diagonal, int m, int n,    \
      const void *alpha, const void *a, int lda, void *b, int ldb) {           \
    return trsm<T>(h, side, uplo, op, diagonal, m, n, alpha, a, lda, b, ldb);  \
  }                                                                            \
  FAKE_EXPORT int NEWER(L, copy)(MathHandle h, int n, const void *x,           \
                                 int stepX, void *y, int stepY) {              \
    return copy<T>(h, n, x, stepX, y, stepY);                                  \
  }

OF_TYPE(S, float, org, sy)
OF_TYPE(D, double, org, sy)
OF_TYPE(C, std::complex<float>, ung, he)
OF_TYPE(Z, std::complex<double>, ung, he)
}
