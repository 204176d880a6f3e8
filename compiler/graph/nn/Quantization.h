//===- Quantization.h - Recording quantization ------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H
#define TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// The scale: a number; a vector along `axis`; or of x's rank, with dims that
/// divide x's. The zero point has its shape, and may be absent.
NodeRef quantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                 const NodeRef &zeroPoint, DType dtype, int64_t axis);
/// The result has the scale's dtype.
NodeRef dequantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                   const NodeRef &zeroPoint, int64_t axis);
/// A scale of a vector along `axis` as one of x's rank.
NodeRef scaleAlong(Recorder &r, const char *name, const NodeRef &x,
                   const NodeRef &scale, int64_t axis);
/// Converts x to i8 or another integer, rounding up with a probability equal to
/// the fraction.
NodeRef stochasticRound(Recorder &r, const NodeRef &key, const NodeRef &x,
                        DType dtype);
/// Products of i8 or ui8, summed as i32.
NodeRef matmulI32(Recorder &r, const NodeRef &x, const NodeRef &y);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H
