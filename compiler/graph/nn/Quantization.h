//===- Quantization.h - Recording quantization ------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H
#define TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// The scale is a number, a vector along `axis`, or a tensor of x's rank whose
/// dims divide x's. The zero point is null or has the scale's shape.
NodeRef quantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                 const NodeRef &zeroPoint, DType dtype, int64_t axis);
/// The result has the scale's dtype.
NodeRef dequantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                   const NodeRef &zeroPoint, int64_t axis);
/// Reshapes a scale that is a vector along `axis` to x's rank.
NodeRef scaleAlong(Recorder &r, const char *name, const NodeRef &x,
                   const NodeRef &scale, int64_t axis);
/// Converts x to i8 or another integer, rounding up with a probability equal to
/// the fraction.
NodeRef stochasticRound(Recorder &r, const NodeRef &key, const NodeRef &x,
                        DType dtype);
/// Multiplies matrices of i8 or ui8 with accumulation in i32.
NodeRef matmulI32(Recorder &r, const NodeRef &x, const NodeRef &y);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NN_QUANTIZATION_H
