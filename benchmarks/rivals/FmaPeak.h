//===- FmaPeak.h - Peak rate of independent multiply-adds -----------------===//
#ifndef TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H
#define TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H

#include <cstdint>

namespace bench {

/// Returns the number of floating-point operations of `rounds` rounds on one
/// thread.
int64_t fmaOperations(int64_t rounds);
/// Runs f32 multiply-adds on the widest registers on each of the threads. They
/// are independent, so that they keep the units busy.
void runFma(int64_t rounds, int threads);
/// "AVX-512", "AVX2", ...
const char *fmaKind();

} // namespace bench

#endif // TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H
