//===- NarrowPeak.h - The speed of instructions on narrow numbers ---------===//
#ifndef TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H
#define TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H

#include <cstdint>

namespace bench {

struct NarrowPeak {
  /// Independent multiply-adds on registers, on one thread.
  void (*run)(int64_t rounds);
  /// Operations of a round.
  int64_t operations;
};

/// Of pairs of bf16 added to f32, and of four bytes added to i32. Null: this
/// processor has no such instruction.
const NarrowPeak *bfloatPeak();
const NarrowPeak *bytePeak();

} // namespace bench

#endif // TENSORC_BENCHMARKS_RIVALS_NARROWPEAK_H
