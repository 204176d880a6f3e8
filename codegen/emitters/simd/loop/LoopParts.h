//===- LoopParts.h - Parts of a loop that read one operand ------*- C++ -*-===//
//
// concatenate and pad split one of the loops into parts, each of which reads
// all elements from the same operand:
//   for i in [0, 1024): y[i] = a[i];  for i in [0, 512): y[1024 + i] = b[i]
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_LOOP_LOOPPARTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_LOOP_LOOPPARTS_H

#include "codegen/emitters/LoopNest.h"

#include <vector>

namespace tensorc::codegen::simd {

/// A part of the loop nest: the loop that is split covers only the iterations
/// from `begin` on, which are numbered from 0.
struct LoopPart {
  CollapsedDims loops;
  analysis::IterationSpace space;
  int64_t begin = 0;
};

/// The parts of a loop nest, in order. There is one part if no loop is split.
struct LoopParts {
  std::vector<LoopPart> all;
  /// The loop that is split.
  unsigned cut = 0;

  bool splitsInnermost() const {
    return cut + 1 == all.front().loops.sizes.size();
  }
  /// True if the part is one of the innermost loop, and so short that it is
  /// emitted element by element.
  bool isByElements(KernelBuilder &kernel, const LoopPart &part) const;
};

LoopParts findLoopParts(KernelBuilder &kernel, const CollapsedDims &loops);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_LOOP_LOOPPARTS_H
