//===- FakeQuantize.h - Quantization with a gradient ------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H
#define TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H

#include "compiler/graph/nn/Quantization.h"

namespace tensorc::derive {

/// Rounds x to the values that integers in [low, high] represent:
/// (clamp(round(x / scale) + zero_point) - zero_point) * scale. The gradient is
/// g where nothing was clamped, else 0.
graph::NodeRef fakeQuantize(graph::Recorder &r, const graph::NodeRef &x,
                            const graph::NodeRef &scale,
                            const graph::NodeRef &zeroPoint, int64_t low,
                            int64_t high, int64_t axis);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H
