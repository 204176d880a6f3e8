//===- StreamingCopy.h - copies that bypass the caches ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_STREAMINGCOPY_H
#define TENSORC_RUNTIME_COLLECTIVES_STREAMINGCOPY_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tensorc::rt {

/// Copies to memory that is not read soon. On x86 the stores are non-temporal,
/// so memory is written without being read first. finishStreaming() has to
/// follow before another thread may read the bytes.
inline void copyStreaming(char *to, const char *from, size_t size) {
#ifdef __SSE2__
  constexpr size_t line = 64;
  size_t head = std::min(-reinterpret_cast<uintptr_t>(to) % line, size);
  std::memcpy(to, from, head);
  size_t at = head;
  for (; at + line <= size; at += line)
    for (size_t part = at; part < at + line; part += sizeof(__m128i)) {
      auto *source = reinterpret_cast<const __m128i *>(from + part);
      auto *target = reinterpret_cast<__m128i *>(to + part);
      _mm_stream_si128(target, _mm_loadu_si128(source));
    }
  std::memcpy(to + at, from + at, size - at);
#else
  std::memcpy(to, from, size);
#endif
}

inline void finishStreaming() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

} // namespace tensorc::rt

#endif
