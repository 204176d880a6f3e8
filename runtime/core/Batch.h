//===- Batch.h - calls that are given to a stream together ------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_BATCH_H
#define TENSORC_RUNTIME_CORE_BATCH_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Launches, fills, and copies within a device, in order. All of it is one run
/// of words, so that comparing two batches is comparing bytes.
class Batch {
public:
  void launch(const Launch &launch);
  void copy(void *target, const void *source, size_t size);
  void fill(void *target, uint64_t pattern, uint32_t width, size_t size);

  bool empty() const { return words.empty(); }
  uint32_t size() const { return calls; }
  void clear();
  const std::vector<Word> &bytes() const { return words; }

  /// Makes the calls on a stream, up to the first that fails. What it gives to
  /// `launch` is valid as long as the batch.
  Status replay(Stream &stream) const;

private:
  std::vector<Word> words;
  uint32_t calls = 0;
};

} // namespace tensorc::rt

#endif
