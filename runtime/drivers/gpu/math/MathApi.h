//===- MathApi.h - a vendor's linear algebra --------------------*- C++ -*-===//
//
// cuSOLVER and cuBLAS, or hipSOLVER (over rocSOLVER) and hipBLAS: the same
// functions with the same parameters under different names, for four element
// types each. They are looked up when a program first needs one; their headers
// are not needed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_MATHAPI_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_MATHAPI_H

#include "runtime/drivers/gpu/GpuApi.h"

#include <mutex>

namespace tensorc::rt::gpu {

/// True unless TENSORC_GPU_LIBRARIES turns the vendors' libraries off.
bool wantsLibraries();

/// A cusolverDnHandle_t, a cublasHandle_t, or the corresponding handle of HIP.
using MathHandle = struct MathObject *;

/// The values of the libraries' enumerators.
struct MathNumbers {
  int none, transpose, adjoint; // operations
  int lower, upper;             // triangles
  int left, right;              // sides
  int nonUnit, unit;            // diagonals
  int vectors;                  // compute eigenvectors, too
};

/// File names of a vendor's libraries, and prefixes of their functions.
struct MathLibraries {
  // Candidates; the first that exists is used.
  const char *solverFiles[2], *blasFiles[2];
  const char *solver, *blas; // prefixes of function names
  const char *newer;         // suffix of functions that have a newer version
  MathNumbers numbers;
};

/// X(member, name, name for complex numbers, library, parameters)
#define TENSORC_MATH_ENTRY_POINTS(X)                                           \
  X(potrfSize, "potrf_bufferSize", "potrf_bufferSize", Solver,                 \
    (MathHandle, int uplo, int n, void *a, int lda, int *size))                \
  X(potrf, "potrf", "potrf", Solver,                                           \
    (MathHandle, int uplo, int n, void *a, int lda, void *work, int size,      \
     int *info))                                                               \
  X(potrfBatched, "potrfBatched", "potrfBatched", Solver,                      \
    (MathHandle, int uplo, int n, void **a, int lda, int *info, int batch))    \
  X(getrfSize, "getrf_bufferSize", "getrf_bufferSize", Solver,                 \
    (MathHandle, int m, int n, void *a, int lda, int *size))                   \
  X(getrf, "getrf", "getrf", Solver,                                           \
    (MathHandle, int m, int n, void *a, int lda, void *work, int *pivots,      \
     int *info))                                                               \
  X(getrs, "getrs", "getrs", Solver,                                           \
    (MathHandle, int op, int n, int sides, const void *a, int lda,             \
     const int *pivots, void *b, int ldb, int *info))                          \
  X(geqrfSize, "geqrf_bufferSize", "geqrf_bufferSize", Solver,                 \
    (MathHandle, int m, int n, void *a, int lda, int *size))                   \
  X(geqrf, "geqrf", "geqrf", Solver,                                           \
    (MathHandle, int m, int n, void *a, int lda, void *factors, void *work,    \
     int size, int *info))                                                     \
  X(orgqrSize, "orgqr_bufferSize", "ungqr_bufferSize", Solver,                 \
    (MathHandle, int m, int n, int k, const void *a, int lda,                  \
     const void *factors, int *size))                                          \
  X(orgqr, "orgqr", "ungqr", Solver,                                           \
    (MathHandle, int m, int n, int k, void *a, int lda, const void *factors,   \
     void *work, int size, int *info))                                         \
  X(gesvdSize, "gesvd_bufferSize", "gesvd_bufferSize", Solver,                 \
    (MathHandle, int m, int n, int *size))                                     \
  X(gesvd, "gesvd", "gesvd", Solver,                                           \
    (MathHandle, signed char left, signed char right, int m, int n, void *a,   \
     int lda, void *s, void *u, int ldu, void *v, int ldv, void *work,         \
     int size, void *realWork, int *info))                                     \
  X(syevdSize, "syevd_bufferSize", "heevd_bufferSize", Solver,                 \
    (MathHandle, int vectors, int uplo, int n, const void *a, int lda,         \
     const void *w, int *size))                                                \
  X(syevd, "syevd", "heevd", Solver,                                           \
    (MathHandle, int vectors, int uplo, int n, void *a, int lda, void *w,      \
     void *work, int size, int *info))                                         \
  X(getrfBatched, "getrfBatched", "getrfBatched", Blas,                        \
    (MathHandle, int n, void *const *a, int lda, int *pivots, int *info,       \
     int batch))                                                               \
  X(getrsBatched, "getrsBatched", "getrsBatched", Blas,                        \
    (MathHandle, int op, int n, int sides, const void *const *a, int lda,      \
     const int *pivots, void *const *b, int ldb, int *hostInfo, int batch))    \
  X(geam, "geam", "geam", Blas,                                                \
    (MathHandle, int opA, int opB, int m, int n, const void *alpha,            \
     const void *a, int lda, const void *beta, const void *b, int ldb,         \
     void *c, int ldc))                                                        \
  X(trmm, "trmm", "trmm", NewerBlas,                                           \
    (MathHandle, int side, int uplo, int op, int diagonal, int m, int n,       \
     const void *alpha, const void *a, int lda, const void *b, int ldb,        \
     void *c, int ldc))                                                        \
  X(trsm, "trsm", "trsm", NewerBlas,                                           \
    (MathHandle, int side, int uplo, int op, int diagonal, int m, int n,       \
     const void *alpha, const void *a, int lda, void *b, int ldb))             \
  X(copy, "copy", "copy", NewerBlas,                                           \
    (MathHandle, int n, const void *x, int stepX, void *y, int stepY))

/// Functions for f32, f64, c64 and c128, whose names contain S, D, C and Z.
struct MathEntryPoints {
#define X(member, name, complexName, part, parameters)                         \
  int(*member[4]) parameters = {};
  TENSORC_MATH_ENTRY_POINTS(X)
#undef X
};

/// The handles of the libraries for one device. The first call opens them, and
/// they are never closed.
class MathLibrary {
public:
  enum class Part { Solver, Blas, NewerBlas };

  /// Returns null if the libraries are missing, or if TENSORC_GPU_LIBRARIES=0.
  /// The device must be current on the thread, and the caller must hold the
  /// lock.
  const MathEntryPoints *open(const MathLibraries &names);

  std::mutex mutex; // guards the handles, whose stream each call sets
  MathHandle solver = nullptr, blas = nullptr;
  int (*setSolverStream)(MathHandle, Stream_t) = nullptr;
  int (*setBlasStream)(MathHandle, Stream_t) = nullptr;

private:
  bool find(const MathLibraries &names);
  bool isAsked = false, isFound = false;
  MathEntryPoints call;
};

} // namespace tensorc::rt::gpu

#endif
