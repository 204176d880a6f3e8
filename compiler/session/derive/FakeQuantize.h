//===- FakeQuantize.h - Quantization with a gradient ------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H
#define TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H

#include "compiler/graph/nn/Quantization.h"

namespace tensorc::derive {

/// x as integers in [low, high] would have it: (clamp(round(x / scale) +
/// zero_point) - zero_point) * scale. Its gradient is g where nothing was
/// clamped, else 0.
graph::NodeRef fakeQuantize(graph::Recorder &r, const graph::NodeRef &x,
                            const graph::NodeRef &scale,
                            const graph::NodeRef &zeroPoint, int64_t low,
                            int64_t high, int64_t axis);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_FAKEQUANTIZE_H
