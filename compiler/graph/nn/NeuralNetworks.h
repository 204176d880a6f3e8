//===- NeuralNetworks.h - Composites as PyTorch names them ----------------===//
#ifndef TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H
#define TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H

#include "compiler/graph/Builders.h"

namespace tensorc::graph {

/// Halves are computed in f32, as sums accumulate.
inline DType wideOf(DType dtype) {
  return isFloat(dtype) && byteWidth(dtype) == 2 ? DType::F32 : dtype;
}
/// Refuses what is no float, in the name of the op.
bool needFloat(Recorder &r, const char *name, const NodeRef &x);
/// The number of elements along the axes, less a correction: an input of
/// composites, so that a body holds for all sizes.
NodeRef countOf(Recorder &r, const Node &x, Ints axes, double correction = 0);

//===----------------------------------------------------------------------===//
// Activations.cpp
//===----------------------------------------------------------------------===//

/// x, or alpha (e^x - 1) below 0.
NodeRef elu(Recorder &r, const NodeRef &x, double alpha);
NodeRef leakyRelu(Recorder &r, const NodeRef &x, double slope);
/// log(1 + e^(beta x)) / beta, without overflow.
NodeRef softplus(Recorder &r, const NodeRef &x, double beta);
NodeRef mish(Recorder &r, const NodeRef &x);
NodeRef hardswish(Recorder &r, const NodeRef &x);

//===----------------------------------------------------------------------===//
// Normalizations.cpp
//===----------------------------------------------------------------------===//

NodeRef logSumExp(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
NodeRef standardDeviation(Recorder &r, const NodeRef &x, Ints axes,
                          double correction, bool keepDims);
/// The vector norm of this order: 0, 1, 2, inf, -inf or any other.
NodeRef norm(Recorder &r, const NodeRef &x, double order, Ints axes,
             bool keepDims);
/// Over the last axis; the scale may be absent.
NodeRef rmsNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                double epsilon);
/// Channels are axis 1; scale and bias, one per channel, may be absent.
NodeRef groupNorm(Recorder &r, const NodeRef &x, int64_t groups,
                  const NodeRef &scale, const NodeRef &bias, double epsilon);
/// With statistics that are given, one per channel.
NodeRef batchNorm(Recorder &r, const NodeRef &x, const NodeRef &mean,
                  const NodeRef &variance, const NodeRef &scale,
                  const NodeRef &bias, double epsilon, int64_t axis);

//===----------------------------------------------------------------------===//
// CrossEntropy.cpp, Attention.cpp
//===----------------------------------------------------------------------===//

struct CrossEntropy {
  enum class Reduction { Mean, Sum, None };
  Reduction reduction = Reduction::Mean;
  int64_t ignoreIndex = -100;
  double labelSmoothing = 0;
};
/// Of logits (classes are axis 1, or 0 of a vector) and integer labels; the
/// weights of classes may be absent. A label that is no class gives NaN.
NodeRef crossEntropy(Recorder &r, const NodeRef &logits, const NodeRef &labels,
                     const NodeRef &weight, const CrossEntropy &options);

/// softmax(q k^T scale + mask) v over the last two axes; without a scale,
/// 1 / sqrt of the last size. Heads of k and v (axis -3) may be shared by
/// several of q. The mask, of i1 (true: take part) or added, may be absent.
NodeRef attention(Recorder &r, const NodeRef &q, const NodeRef &k,
                  const NodeRef &v, const NodeRef &mask, bool causal,
                  std::optional<double> scale);

//===----------------------------------------------------------------------===//
// Interpolation.cpp
//===----------------------------------------------------------------------===//

struct Interpolation {
  bool linear = false; // else the nearest element
  bool alignCorners = false;
};
/// Images N, C, spatial with another size of the spatial dims.
NodeRef interpolate(Recorder &r, const NodeRef &x, Ints size,
                    const Interpolation &options);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H
