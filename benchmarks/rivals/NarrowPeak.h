//===- NarrowPeak.h - Peak rate of instructions on narrow numbers ---------===//
#ifndef TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H
#define TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H

#include <cstdint>

namespace bench {

struct NarrowPeak {
  /// Runs independent multiply-adds on registers on one thread.
  void (*run)(int64_t rounds);
  /// Operations of a round.
  int64_t operations;
};

/// Return the peaks of instructions that multiply pairs of bf16 into f32, and
/// groups of four bytes into i32. Null if this processor has no such instruction.
const NarrowPeak *bfloatPeak();
const NarrowPeak *bytePeak();

} // namespace bench

#endif // TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H
