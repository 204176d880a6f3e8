//===- VectorLibm.cpp - glibc's functions on vectors of f64 ---------------===//

#include "tests/accuracy/VectorLibm.h"

#ifdef TENSORC_HAS_LIBMVEC
#include <cmath>
#include <immintrin.h>

// clang-format off
#define FUNCTIONS(X)                                                           \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p)                     \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan)                                 \
  X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(cbrt)
// clang-format on

extern "C" {
#define DECLARE(name)                                                          \
  __attribute__((target("avx2"))) __m256d _ZGVdN4v_##name(__m256d);            \
  __attribute__((target("avx512f"))) __m512d _ZGVeN8v_##name(__m512d);
FUNCTIONS(DECLARE)
}

namespace tensorc::accuracy {

namespace {

/// `count` is a multiple of 8.
#define BLOCKS(name)                                                           \
  __attribute__((target("avx2"))) void name##4(double *x, size_t count) {      \
    for (size_t i = 0; i < count; i += 4)                                      \
      _mm256_storeu_pd(x + i, _ZGVdN4v_##name(_mm256_loadu_pd(x + i)));        \
  }                                                                            \
  __attribute__((target("avx512f"))) void name##8(double *x, size_t count) {   \
    for (size_t i = 0; i < count; i += 8)                                      \
      _mm512_storeu_pd(x + i, _ZGVeN8v_##name(_mm512_loadu_pd(x + i)));        \
  }
FUNCTIONS(BLOCKS)

void sqrtBlock(double *x, size_t count) {
  for (size_t i = 0; i < count; ++i)
    x[i] = std::sqrt(x[i]);
}

void rsqrtBlock(double *x, size_t count) {
  for (size_t i = 0; i < count; ++i)
    x[i] = 1.0 / std::sqrt(x[i]);
}

void sigmoidBlock(double *x, size_t count) {
  for (size_t i = 0; i < count; ++i)
    x[i] = -x[i];
  vectorLibm("exp")(x, count);
  for (size_t i = 0; i < count; ++i)
    x[i] = 1.0 / (1.0 + x[i]);
}

} // namespace

VectorJudge vectorLibm(std::string_view name) {
  bool has8 = __builtin_cpu_supports("avx512f");
  if (!has8 && !__builtin_cpu_supports("avx2"))
    return nullptr;
  if (name == "sqrt")
    return sqrtBlock;
  if (name == "rsqrt")
    return rsqrtBlock;
  if (name == "sigmoid")
    return sigmoidBlock;
#define FIND(function)                                                         \
  if (name == #function)                                                       \
    return has8 ? function##8 : function##4;
  FUNCTIONS(FIND)
  return nullptr;
}

} // namespace tensorc::accuracy
#else
namespace tensorc::accuracy {
VectorJudge vectorLibm(std::string_view) { return nullptr; }
} // namespace tensorc::accuracy
#endif
