//===- FmaPeak.cpp - Peak rate of independent multiply-adds ---------------===//

#include "benchmarks/rivals/FmaPeak.h"

#include <cmath>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

/// Number of independent chains: enough for two units with a latency of four
/// cycles.
static constexpr int chains = 12;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static float fma512(int64_t rounds) {
  __m512 sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = _mm512_set1_ps(static_cast<float>(i));
  __m512 x = _mm512_set1_ps(0.5f), y = _mm512_set1_ps(1.0f);
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile("" : "+v"(x)); // prevents constant folding
#pragma clang loop unroll(full)
    for (int i = 0; i < chains; ++i)
      sums[i] = _mm512_fmadd_ps(sums[i], x, y);
  }
  float result = 0;
  for (int i = 0; i < chains; ++i)
    result += _mm512_reduce_add_ps(sums[i]);
  return result;
}

__attribute__((target("avx2,fma"))) static float fma256(int64_t rounds) {
  __m256 sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = _mm256_set1_ps(static_cast<float>(i));
  __m256 x = _mm256_set1_ps(0.5f), y = _mm256_set1_ps(1.0f);
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile("" : "+v"(x));
#pragma clang loop unroll(full)
    for (int i = 0; i < chains; ++i)
      sums[i] = _mm256_fmadd_ps(sums[i], x, y);
  }
  float result = 0;
  for (int i = 0; i < chains; ++i)
    result += sums[i][0];
  return result;
}

static bool isWide() { return __builtin_cpu_supports("avx512f"); }
static float fma(int64_t rounds) {
  return isWide() ? fma512(rounds) : fma256(rounds);
}
static int lanes() { return isWide() ? 16 : 8; }
const char *fmaKind() { return isWide() ? "AVX-512" : "AVX2"; }
#else
static float fma(int64_t rounds) {
  typedef float Vector __attribute__((vector_size(16)));
  Vector sums[chains] = {}, x = {0.5f, 0.5f, 0.5f, 0.5f}, y = x;
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile("" : "+w"(x));
#pragma clang loop unroll(full)
    for (int i = 0; i < chains; ++i)
      sums[i] = __builtin_elementwise_fma(sums[i], x, y);
  }
  float result = 0;
  for (Vector sum : sums)
    result += sum[0];
  return result;
}
static int lanes() { return 4; }
const char *fmaKind() { return "128-bit vectors"; }
#endif

int64_t fmaOperations(int64_t rounds) { return rounds * chains * lanes() * 2; }

void runFma(int64_t rounds, int threads) {
  auto work = [rounds] {
    volatile float sink = fma(rounds);
    (void)sink;
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
}

} // namespace bench
