//===- FmaPeak.h - The cores' speed: independent multiply-adds ------------===//
#ifndef TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H
#define TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H

#include <cstdint>

namespace bench {

/// Floating-point operations of `rounds` rounds on one thread.
int64_t fmaOperations(int64_t rounds);
/// f32 multiply-adds of the widest kind on registers, enough of them in flight
/// to fill the units, on each of the threads.
void runFma(int64_t rounds, int threads);
/// "AVX-512", "AVX2", ...
const char *fmaKind();

} // namespace bench

#endif // TENSORC_BENCHMARKS_RIVALS_FMAPEAK_H
