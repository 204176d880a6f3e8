//===- NeuralNetworks.h - Recording PyTorch's functions -------------------===//
#ifndef TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H
#define TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Activations.cpp
//===----------------------------------------------------------------------===//

/// Records a composite activation with a tensor and scalar parameters.
NodeRef activation(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands);
/// Returns log(1 + e^(beta x)) / beta, without overflow.
NodeRef softplus(Recorder &r, const NodeRef &x, double beta);

//===----------------------------------------------------------------------===//
// Normalizations.cpp
//===----------------------------------------------------------------------===//

NodeRef logSumExp(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
NodeRef standardDeviation(Recorder &r, const NodeRef &x, Ints axes,
                          double correction, bool keepDims);
/// Returns the vector norm of an order: 0, 1, 2, inf, -inf or any other.
NodeRef norm(Recorder &r, const NodeRef &x, double order, Ints axes,
             bool keepDims);
/// Records an RMS norm over the last axis. The scale is optional.
NodeRef rmsNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                double epsilon);
/// Channels are axis 1. Scale and bias have one element per channel and may be
/// null.
NodeRef groupNorm(Recorder &r, const NodeRef &x, int64_t groups,
                  const NodeRef &scale, const NodeRef &bias, double epsilon);
/// Records a group norm with one group per channel.
NodeRef instanceNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                     const NodeRef &bias, double epsilon);
/// Records a layer norm over the last axes, which are the axes of scale and
/// bias.
NodeRef layerNormOver(Recorder &r, const NodeRef &x, int64_t axes,
                      const NodeRef &scale, const NodeRef &bias,
                      double epsilon);
/// Normalizes with the given statistics, which have one element per channel.
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
/// Records the cross entropy of logits (classes are axis 1, or axis 0 of a
/// vector) and integer labels. The weights of classes are optional. A label
/// that is not a class gives NaN.
NodeRef crossEntropy(Recorder &r, const NodeRef &logits, const NodeRef &labels,
                     const NodeRef &weight, const CrossEntropy &options);

/// Computes softmax(q k^T scale + mask) v over the last two axes. The default
/// scale is 1 / sqrt of the last size. Several heads of q (axis -3) may share a
/// head of k and v. The mask is null, of i1 (true for keys to attend to), or
/// added.
NodeRef attention(Recorder &r, const NodeRef &q, const NodeRef &k,
                  const NodeRef &v, const NodeRef &mask, bool causal,
                  std::optional<double> scale);

//===----------------------------------------------------------------------===//
// Interpolation.cpp
//===----------------------------------------------------------------------===//

struct Interpolation {
  bool linear = false; // false: takes the nearest element
  bool alignCorners = false;
};
/// Resizes the spatial dims of images [N, C, spatial].
NodeRef interpolate(Recorder &r, const NodeRef &x, Ints size,
                    const Interpolation &options);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NN_NEURALNETWORKS_H
