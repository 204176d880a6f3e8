//===- GammaNumbers.h - Gamma and related random numbers --------*- C++ -*-===//
//
// Like graph/random/Distributions.h, but differentiable with respect to the
// parameters: the derivative is that of the quantile at fixed probability.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_GAMMANUMBERS_H
#define TENSORC_COMPILER_SESSION_DERIVE_GAMMANUMBERS_H

#include "compiler/graph/random/Random.h"

namespace tensorc::derive {

graph::NodeRef gamma(graph::Recorder &r, const graph::NodeRef &key,
                     const graph::Operand &a, graph::Ints shape,
                     graph::DType dtype);
graph::NodeRef logGamma(graph::Recorder &r, const graph::NodeRef &key,
                        const graph::Operand &a, graph::Ints shape,
                        graph::DType dtype);
graph::NodeRef chiSquare(graph::Recorder &r, const graph::NodeRef &key,
                         const graph::Operand &df, graph::Ints shape,
                         graph::DType dtype);
graph::NodeRef studentT(graph::Recorder &r, const graph::NodeRef &key,
                        const graph::Operand &df, graph::Ints shape,
                        graph::DType dtype);
graph::NodeRef fisherF(graph::Recorder &r, const graph::NodeRef &key,
                       const graph::Operand &above, const graph::Operand &below,
                       graph::Ints shape, graph::DType dtype);
graph::NodeRef beta(graph::Recorder &r, const graph::NodeRef &key,
                    const graph::Operand &a, const graph::Operand &b,
                    graph::Ints shape, graph::DType dtype);
/// `shape` are the axes before the last one.
graph::NodeRef dirichlet(graph::Recorder &r, const graph::NodeRef &key,
                         const graph::NodeRef &alpha, graph::Ints shape,
                         graph::DType dtype);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_GAMMANUMBERS_H
