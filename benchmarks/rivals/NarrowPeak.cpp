//===- NarrowPeak.cpp - Peak rate of instructions on narrow numbers -------===//

#include "benchmarks/rivals/NarrowPeak.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

#if defined(__x86_64__)
/// Number of independent chains, enough to hide the latency of an instruction.
static constexpr int narrowChains = 12;

__attribute__((target("avx512f,avx512bf16"))) static void
runBfloat(int64_t rounds) {
  __m512 sums[narrowChains];
  for (int i = 0; i < narrowChains; ++i)
    sums[i] = _mm512_set1_ps(static_cast<float>(i));
  __m512bh x = (__m512bh)_mm512_set1_epi32(0), y = x;
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile("" : "+v"(x)); // prevents constant folding
#pragma clang loop unroll(full)
    for (int i = 0; i < narrowChains; ++i)
      sums[i] = _mm512_dpbf16_ps(sums[i], x, y);
  }
  float result = 0;
  for (int i = 0; i < narrowChains; ++i)
    result += _mm512_reduce_add_ps(sums[i]);
  volatile float sink = result;
  (void)sink;
}

__attribute__((target("avx512f,avx512vnni"))) static void
runBytes(int64_t rounds) {
  __m512i sums[narrowChains];
  for (int i = 0; i < narrowChains; ++i)
    sums[i] = _mm512_set1_epi32(i);
  __m512i x = _mm512_set1_epi32(0), y = x;
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile("" : "+v"(x));
#pragma clang loop unroll(full)
    for (int i = 0; i < narrowChains; ++i)
      sums[i] = _mm512_dpbusd_epi32(sums[i], x, y);
  }
  int result = 0;
  for (int i = 0; i < narrowChains; ++i)
    result += _mm512_reduce_add_epi32(sums[i]);
  volatile int sink = result;
  (void)sink;
}

const NarrowPeak *bfloatPeak() {
  static const NarrowPeak peak = {runBfloat, narrowChains * 16 * 2 * 2};
  return __builtin_cpu_supports("avx512bf16") ? &peak : nullptr;
}
const NarrowPeak *bytePeak() {
  static const NarrowPeak peak = {runBytes, narrowChains * 16 * 4 * 2};
  return __builtin_cpu_supports("avx512vnni") ? &peak : nullptr;
}
#else
const NarrowPeak *bfloatPeak() { return nullptr; }
const NarrowPeak *bytePeak() { return nullptr; }
#endif

} // namespace bench
