//===- Distributions.h - Random distributions -------------------*- C++ -*-===//
//
// A parameter is a number or a tensor. Parameters are broadcast to the shape;
// without a shape, their broadcast shape is used. docs/random.md describes how
// each distribution is sampled.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_RANDOM_DISTRIBUTIONS_H
#define TENSORC_COMPILER_GRAPH_RANDOM_DISTRIBUTIONS_H

#include "compiler/graph/random/Random.h"

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Floats. Gamma numbers and distributions based on them are in
// compiler/session/derive/GammaNumbers.h
//===----------------------------------------------------------------------===//

NodeRef exponential(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef gumbel(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef laplace(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef logistic(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef cauchy(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef rayleigh(Recorder &r, const NodeRef &key, const Operand &scale,
                 Ints shape, DType dtype);
NodeRef weibull(Recorder &r, const NodeRef &key, const Operand &scale,
                const Operand &concentration, Ints shape, DType dtype);
NodeRef pareto(Recorder &r, const NodeRef &key, const Operand &b, Ints shape,
               DType dtype);
NodeRef lognormal(Recorder &r, const NodeRef &key, const Operand &sigma,
                  Ints shape, DType dtype);
NodeRef truncatedNormal(Recorder &r, const NodeRef &key, const Operand &lower,
                        const Operand &upper, Ints shape, DType dtype);

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// 1 or -1.
NodeRef rademacher(Recorder &r, const NodeRef &key, Ints shape, DType dtype);
NodeRef poisson(Recorder &r, const NodeRef &key, const Operand &rate,
                Ints shape, DType dtype);
NodeRef binomial(Recorder &r, const NodeRef &key, const Operand &n,
                 const Operand &p, Ints shape, DType dtype);
NodeRef geometric(Recorder &r, const NodeRef &key, const Operand &p, Ints shape,
                  DType dtype);

//===----------------------------------------------------------------------===//
// Choices, and vectors (Choices.cpp)
//===----------------------------------------------------------------------===//

/// Draws indices along the axis. `shape` is the shape of the result. Its last
/// dims are the logits' dims without the axis.
NodeRef categorical(Recorder &r, const NodeRef &key, const NodeRef &logits,
                    int64_t axis, Ints shape);
/// Draws integers from 0 to count - 1, with probabilities `p`, which may be
/// null.
NodeRef choice(Recorder &r, const NodeRef &key, int64_t count, Ints shape,
               bool replace, const NodeRef &p);
/// `shape` is the result's shape without the axes of the vector or matrix.
NodeRef multivariateNormal(Recorder &r, const NodeRef &key, const NodeRef &mean,
                           const NodeRef &covariances, Ints shape, DType dtype);
NodeRef orthogonal(Recorder &r, const NodeRef &key, int64_t n, Ints shape,
                   DType dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RANDOM_DISTRIBUTIONS_H
