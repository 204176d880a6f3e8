//===- NeuralNetworks.h - Functions as PyTorch names them -----------------===//
#ifndef TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H
#define TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Activations.cpp
//===----------------------------------------------------------------------===//

/// A composite of a tensor and numbers.
NodeRef activation(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands);
/// log(1 + e^(beta x)) / beta, without overflow.
NodeRef softplus(Recorder &r, const NodeRef &x, double beta);

//===----------------------------------------------------------------------===//
// Normalizations.cpp
//===----------------------------------------------------------------------===//

NodeRef logSumExp(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
NodeRef standardDeviation(Recorder &r, const NodeRef &x, Ints axes,
                          double correction, bool keepDims);
/// The vector norm of this order: 0, 1, 2, inf, -inf or any other.
NodeRef norm(Recorder &r, const NodeRef &x, double order, Ints axes,
             bool keepDims);
/// RMS norm over the last axis. The scale is optional.
NodeRef rmsNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                double epsilon);
/// Channels are axis 1; scale and bias, one per channel, may be absent.
NodeRef groupNorm(Recorder &r, const NodeRef &x, int64_t groups,
                  const NodeRef &scale, const NodeRef &bias, double epsilon);
/// A group for each channel.
NodeRef instanceNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                     const NodeRef &bias, double epsilon);
/// Layer norm over the last axes, the axes of scale and bias.
NodeRef layerNormOver(Recorder &r, const NodeRef &x, int64_t axes,
                      const NodeRef &scale, const NodeRef &bias,
                      double epsilon);
/// Normalizes with the given statistics, one per channel.
NodeRef batchNorm(Recorder &r, const NodeRef &x, const NodeRef &mean,
                  const NodeRef &variance, const NodeRef &scale,
                  const NodeRef &bias, double epsilon, int64_t axis);

//===----------------------------------------------------------------------===//
// CrossEntropy.cpp, Attention.cpp
//===----------------------------------------------------------------------===//

struct CrossEntropy {
  using Reduction = tx::LossReduction;
  Reduction reduction = Reduction::Mean;
  int64_t ignoreIndex = -100;
  double labelSmoothing = 0;
};
/// Cross entropy of logits (classes are axis 1, or 0 of a vector) and integer
/// labels. The weights of classes are optional. A label that is not a class
/// gives NaN.
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
