//===- Copies.cpp - Memory bandwidth: three kinds of copies, and a read ---===//

#include "benchmarks/rivals/Copies.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

static constexpr size_t hugePage = size_t(2) << 20;

Memory::Memory(size_t size) : count((size + hugePage - 1) & ~(hugePage - 1)) {
  bytes = static_cast<char *>(std::aligned_alloc(hugePage, count));
  if (!bytes)
    std::abort();
  madvise(bytes, count, MADV_HUGEPAGE);
  // The memory is not filled with zeros, because a Zen 5 copies cache lines of
  // zeros 1.14 times as fast as others.
  std::memset(bytes, 0x3f, count);
}

Memory::~Memory() { std::free(bytes); }

void copyByMemcpy(char *to, const char *from, size_t bytes) {
  std::memcpy(to, from, bytes);
}

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx512f")))
#define NARROW __attribute__((target("avx")))

WIDE static void loop512(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 128) {
    _mm512_store_si512(to + i, _mm512_load_si512(from + i));
    _mm512_store_si512(to + i + 64, _mm512_load_si512(from + i + 64));
  }
}
WIDE static void stream512(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to + i),
                        _mm512_load_si512(from + i));
  _mm_sfence();
}
NARROW static void loop256(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32)
    _mm256_store_ps(reinterpret_cast<float *>(to + i),
                    _mm256_load_ps(reinterpret_cast<const float *>(from + i)));
}
NARROW static void stream256(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32)
    _mm256_stream_ps(reinterpret_cast<float *>(to + i),
                     _mm256_load_ps(reinterpret_cast<const float *>(from + i)));
  _mm_sfence();
}

WIDE static void read512(char *to, const char *from, size_t bytes) {
  __m512i sums[4] = {};
  for (size_t i = 0; i < bytes; i += 256)
    for (size_t s = 0; s < 4; ++s)
      sums[s] = _mm512_add_epi64(sums[s], _mm512_load_si512(from + i + 64 * s));
  _mm512_store_si512(to, _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]),
                                          _mm512_add_epi64(sums[2], sums[3])));
}
NARROW static void read256(char *to, const char *from, size_t bytes) {
  __m256 sums[4] = {};
  for (size_t i = 0; i < bytes; i += 128)
    for (size_t s = 0; s < 4; ++s)
      sums[s] = _mm256_add_ps(
          sums[s],
          _mm256_load_ps(reinterpret_cast<const float *>(from + i + 32 * s)));
  _mm256_store_ps(reinterpret_cast<float *>(to),
                  _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]),
                                _mm256_add_ps(sums[2], sums[3])));
}

void readByLoop(char *to, const char *from, size_t bytes) {
  (__builtin_cpu_supports("avx512f") ? read512 : read256)(to, from, bytes);
}
void copyByLoop(char *to, const char *from, size_t bytes) {
  (__builtin_cpu_supports("avx512f") ? loop512 : loop256)(to, from, bytes);
}
void copyNonTemporal(char *to, const char *from, size_t bytes) {
  (__builtin_cpu_supports("avx512f") ? stream512 : stream256)(to, from, bytes);
}
#else
static void loop(char *to, const char *from, size_t bytes) {
  auto *t = reinterpret_cast<double *>(to);
  auto *f = reinterpret_cast<const double *>(from);
#pragma clang loop vectorize(enable)
  for (size_t i = 0; i < bytes / sizeof(double); ++i)
    t[i] = f[i];
}
void readByLoop(char *to, const char *from, size_t bytes) {
  double sums[8] = {};
  auto *f = reinterpret_cast<const double *>(from);
  for (size_t i = 0; i < bytes / sizeof(double); i += 8)
    for (size_t s = 0; s < 8; ++s)
      sums[s] += f[i + s];
  std::memcpy(to, sums, sizeof(sums));
}
void copyByLoop(char *to, const char *from, size_t bytes) {
  loop(to, from, bytes);
}
void copyNonTemporal(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(double))
    __builtin_nontemporal_store(*reinterpret_cast<const double *>(from + i),
                                reinterpret_cast<double *>(to + i));
}
#endif

void copyOnThreads(Copy copy, const Memory &to, const Memory &from,
                   int threads) {
  size_t unit = 4096;
  size_t part = (from.size() / threads + unit - 1) & ~(unit - 1);
  auto work = [&](size_t i) {
    size_t begin = i * part;
    if (begin < from.size())
      copy(to.data() + begin, from.data() + begin,
           std::min(part, from.size() - begin));
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &other : others)
    other.join();
}

} // namespace bench
