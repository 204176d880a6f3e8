//===- FakeMath.cpp - cuSOLVER and cuBLAS, hipSOLVER and hipBLAS ----------===//
//
// Columns of matrices in a fake GPU's memory, worked on by Eigen in stream
// order. What the real libraries refuse is refused: leading dimensions and
// workspaces that are too small, enumerators of the other vendor, more columns
// than rows in gesvd, memory that is not the device's.
//
//===----------------------------------------------------------------------===//
#include "EntryPoints.h"

#include "runtime/drivers/gpu/math/MathApi.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <complex>

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

template <typename T> using Matrix = Eigen::Matrix<T, -1, -1>;
template <typename T>
using View = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;
template <typename T> using Real = typename Eigen::NumTraits<T>::Real;

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
  template <typename T> View<T> matrix(const void *data, int m, int n, int ld) {
    int64_t count = n == 0 ? 0 : int64_t(ld) * (n - 1) + m;
    return View<T>(numbers<T>(data, count), m, n, Eigen::OuterStride<>(ld));
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

template <typename T> Matrix<T> applied(int op, const Matrix<T> &x) {
  if (op == number.none)
    return x;
  return op == number.transpose ? Matrix<T>(x.transpose())
                                : Matrix<T>(x.adjoint());
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

template <typename T> int factorUpper(View<T> a) {
  Eigen::Index n = a.rows();
  Matrix<T> u = Matrix<T>::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < j; ++i)
      u(i, j) = (a(i, j) - u.col(i).head(i).dot(u.col(j).head(i))) / u(i, i);
    Real<T> pivot = std::real(a(j, j)) - u.col(j).head(j).squaredNorm();
    if (!(pivot > 0))
      return static_cast<int>(j) + 1;
    u(j, j) = std::sqrt(pivot);
  }
  a.template triangularView<Eigen::Upper>() = u; // the rest stays
  return 0;
}

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
      *failed = factorUpper<T>(matrix);
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
        failed[i] = factorUpper<T>(matrix);
    }
  });
}

template <typename T> int factorLu(View<T> a, int *pivots) {
  int failed = 0;
  for (Eigen::Index k = 0; k < std::min(a.rows(), a.cols()); ++k) {
    Eigen::Index largest = 0, below = a.rows() - k - 1;
    a.col(k).tail(below + 1).cwiseAbs().maxCoeff(&largest);
    pivots[k] = static_cast<int>(k + largest) + 1;
    a.row(k).swap(a.row(k + largest));
    if (a(k, k) == T(0)) {
      failed = failed ? failed : static_cast<int>(k) + 1;
      continue;
    }
    a.col(k).tail(below) /= a(k, k);
    Eigen::Index right = a.cols() - k - 1;
    a.bottomRightCorner(below, right) -=
        (a.col(k).tail(below) * a.row(k).tail(right)).eval();
  }
  return failed;
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
      *failed = factorLu<T>(matrix, exchanged);
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
        failed[i] = factorLu<T>(matrix, exchanged + int64_t(i) * n);
    }
  });
}

/// Of op = transpose: x = P^T L^-T U^-T b.
template <typename T>
void solveLu(const View<T> &a, const int *pivots, View<T> b) {
  Matrix<T> transposed = a.transpose(), x = b;
  transposed.template triangularView<Eigen::Lower>().solveInPlace(x);
  transposed.template triangularView<Eigen::UnitUpper>().solveInPlace(x);
  for (Eigen::Index k = a.rows() - 1; k >= 0; --k)
    x.row(k).swap(x.row(pivots[k] - 1));
  b = x;
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
    solveLu<T>(factors, exchanged, right);
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
        solveLu<T>(own, exchanged + int64_t(i) * n, sidesOf);
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
    Eigen::HouseholderQR<Matrix<T>> qr{Matrix<T>(matrix)};
    matrix = qr.matrixQR();
    std::copy_n(qr.hCoeffs().data(), std::min(m, n), tau);
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
    Matrix<T> reflectors = matrix.leftCols(k), q = Matrix<T>::Identity(m, n);
    Eigen::Matrix<T, -1, 1> conjugates =
        Eigen::Map<Eigen::Matrix<T, -1, 1>>(tau, k).conjugate();
    q.applyOnTheLeft(Eigen::householderSequence(reflectors, conjugates));
    matrix = q;
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
    *failed = matrix.allFinite() ? 0 : 1;
    if (*failed != 0)
      return;
    Eigen::JacobiSVD<Matrix<T>> svd(Matrix<T>(matrix),
                                    Eigen::ComputeThinU | Eigen::ComputeThinV);
    toU = svd.matrixU();
    toV = svd.matrixV().adjoint();
    std::copy_n(svd.singularValues().data(), n, values);
    matrix.setConstant(T(7)); // It is overwritten.
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
    Matrix<T> lower = matrix.adjoint(); // Eigen reads the lower triangle.
    Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(lower);
    *failed =
        solver.info() == Eigen::Success && solver.eigenvalues().allFinite() ? 0
                                                                            : 1;
    matrix = solver.eigenvectors();
    std::copy_n(solver.eigenvalues().data(), n, values);
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
  bool isTurned = opA != number.none;
  if (!isOp(opA) || opB != number.none || lda < (isTurned ? n : m) || ldb < m ||
      ldc < m || *static_cast<const T *>(beta) != T(0) ||
      (b == c && ldb != ldc))
    return refused;
  return queue(handle, [=, alpha =
                               *static_cast<const T *>(alpha)](Memory &memory) {
    auto from = memory.matrix<T>(a, isTurned ? n : m, isTurned ? m : n, lda);
    auto to = memory.matrix<T>(c, m, n, ldc);
    if (!memory.isBad)
      to = alpha * applied<T>(opA, from);
  });
}

template <typename T>
Matrix<T> triangle(const View<T> &a, int uplo, bool unit) {
  Matrix<T> own = a;
  if (uplo == number.upper)
    own.template triangularView<Eigen::StrictlyLower>().setZero();
  else
    own.template triangularView<Eigen::StrictlyUpper>().setZero();
  if (unit)
    own.diagonal().setOnes();
  return own;
}

bool isTriangle(int side, int uplo, int op, int diagonal) {
  return (side == number.left || side == number.right) &&
         (uplo == number.upper || uplo == number.lower) && isOp(op) &&
         (diagonal == number.unit || diagonal == number.nonUnit);
}

template <typename T>
int trmm(MathHandle handle, int side, int uplo, int op, int diagonal, int m,
         int n, const void *alpha, const void *a, int lda, const void *b,
         int ldb, void *c, int ldc) {
  if (!isTriangle(side, uplo, op, diagonal) || side != number.left || lda < m ||
      ldb < m || ldc < m)
    return refused;
  return queue(handle, [=, alpha =
                               *static_cast<const T *>(alpha)](Memory &memory) {
    auto from = memory.matrix<T>(a, m, m, lda);
    auto other = memory.matrix<T>(b, m, n, ldb);
    auto to = memory.matrix<T>(c, m, n, ldc);
    if (!memory.isBad)
      to = alpha *
           (applied<T>(op, triangle<T>(from, uplo, diagonal == number.unit)) *
            Matrix<T>(other))
               .eval();
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
    if (memory.isBad)
      return;
    // y op(a) = b is op(a)^T y^T = b^T.
    Matrix<T> own =
        applied<T>(op, triangle<T>(from, uplo, diagonal == number.unit));
    Matrix<T> turned = own.transpose(), sides = to.transpose();
    if ((uplo == number.upper) == (op == number.none))
      turned.template triangularView<Eigen::Lower>().solveInPlace(sides);
    else
      turned.template triangularView<Eigen::Upper>().solveInPlace(sides);
    to = sides.transpose();
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
