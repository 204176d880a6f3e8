//===- VectorLibm.h - glibc's functions on vectors of f64 -------*- C++ -*-===//
//
// A judge of all 2^32 floats has to be quick. libmvec is within 4 ulp of f64,
// which is 2^-27 ulp of f32; what it finds is confirmed by scalar libm.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TESTS_ACCURACY_VECTORLIBM_H
#define TENSORC_TESTS_ACCURACY_VECTORLIBM_H

#include <cstddef>
#include <string_view>

namespace tensorc::accuracy {

using VectorJudge = void (*)(double *values, size_t count);

/// Replaces the values by those of the function. Null if there is none: another
/// architecture, an old glibc, or a CPU without AVX2.
VectorJudge vectorLibm(std::string_view name);

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_VECTORLIBM_H
