//===- Copies.h - Memory bandwidth: three copies and a read ---------------===//
#ifndef TENSORC_BENCHMARKS_RIVALS_COPIES_H
#define TENSORC_BENCHMARKS_RIVALS_COPIES_H

#include <cstddef>

namespace bench {

/// Memory filled with zeros, aligned to 64 bytes, in huge pages if available.
class Memory {
public:
  explicit Memory(size_t bytes);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  char *data() const { return bytes; }
  size_t size() const { return count; }

private:
  char *bytes;
  size_t count;
};

using Copy = void (*)(char *to, const char *from, size_t bytes);

/// The C library's.
void copyByMemcpy(char *to, const char *from, size_t bytes);
/// Copies by vector loads and stores, as compilers generate for `to[i] =
/// from[i]`.
void copyByLoop(char *to, const char *from, size_t bytes);
/// Like copyByLoop, with streaming stores.
void copyNonTemporal(char *to, const char *from, size_t bytes);

/// Only reads, in four streams of vectors, and stores the sum in the first 64
/// bytes of `to`.
void readByLoop(char *to, const char *from, size_t bytes);

/// Copies with the given number of threads, each of which copies a contiguous
/// part.
void copyOnThreads(Copy copy, const Memory &to, const Memory &from,
                   int threads);

} // namespace bench

#endif // TENSORC_BENCHMARKS_RIVALS_COPIES_H
