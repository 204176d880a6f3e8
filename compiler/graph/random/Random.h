//===- Random.h - Recording random numbers --------------------------------===//
//
// Keys are ui32[2]. docs/random.md defines how numbers are computed from random
// bits.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_RANDOM_RANDOM_H
#define TENSORC_COMPILER_GRAPH_RANDOM_RANDOM_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

/// The values equal those of tensorc_random_algorithm.
using tx::RandomAlgorithm;

/// Checks that `key` has the dtype and shape of a key; reports an error
/// otherwise.
bool checkKey(Recorder &r, const char *op, const NodeRef &key);
/// Makes a key from an integer: a number or a tensor of rank 0.
NodeRef randomKey(Recorder &r, const Operand &seed);
/// Returns ui32[count, 2], whose row i is the i-th derived key.
NodeRef splitKey(Recorder &r, const NodeRef &key, int64_t count);
/// Returns the key that is derived from `key` and the integer `data` modulo
/// 2^64.
NodeRef foldIn(Recorder &r, const NodeRef &key, const Operand &data);

/// `dtype` is ui32 or ui64.
NodeRef randomBits(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                   RandomAlgorithm algorithm);
/// Returns uniform numbers in [low, high), where both bounds are rounded to the
/// dtype.
NodeRef uniform(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                double low, double high);
NodeRef randn(Recorder &r, const NodeRef &key, DType dtype, Ints shape);
/// Returns uniform integers in [low, high).
NodeRef randint(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                Scalar low, Scalar high);
/// Returns i1, true with probability p. p is a number, or floats that broadcast
/// to the shape.
NodeRef bernoulli(Recorder &r, const NodeRef &key, Ints shape,
                  const Operand &p);
/// Replaces elements by 0 with probability `rate` and divides the others by 1 -
/// rate.
NodeRef dropout(Recorder &r, const NodeRef &x, const NodeRef &key, double rate);
/// Returns i64[count]: the numbers from 0 to count - 1 in random order.
NodeRef permutation(Recorder &r, const NodeRef &key, int64_t count);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RANDOM_RANDOM_H
