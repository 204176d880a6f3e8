//===- Counted.h - Tensors whose elements are their places ----------------===//
#ifndef TENSORC_TESTS_COMPILER_GRAPH_COUNTED_H
#define TENSORC_TESTS_COMPILER_GRAPH_COUNTED_H

#include "tensorc/tensorc.hpp"

#include <vector>

namespace tensorc {

/// 0, 1, 2, ...
inline Tensor count(const Shape &shape) {
  int64_t n = 1;
  for (int64_t size : shape)
    n *= size;
  return arange(n, i32).reshape(shape);
}

inline std::vector<int> ints(const Tensor &x) { return x.to_vector<int>(); }

} // namespace tensorc

#endif // TENSORC_TESTS_COMPILER_GRAPH_COUNTED_H
