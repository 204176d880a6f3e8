//===- Interpolation.cpp - Recording the resizing of images ---------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

NodeRef interpolate(Recorder &r, const NodeRef &x, Ints size,
                    const Interpolation &options) {
  const char *name = "interpolate";
  if (!needFloat(r, name, x))
    return {};
  if (size.empty() || size.size() > 3 || x->rank() != size.size() + 2)
    return r.fail(name, "needs images, channels and 1 to 3 spatial dimensions, "
                        "and a size of each: " +
                            shapeString(x->shape()) + " to " +
                            shapeString(size));
  Shape dims, result(x->shape().begin(), x->shape().end());
  for (auto [i, n] : llvm::enumerate(size)) {
    int64_t dim = static_cast<int64_t>(i) + 2;
    if (n < 1 || x->shape()[dim] < 1)
      return r.fail(name, "sizes must be positive: " + shapeString(x->shape()) +
                              " to " + shapeString(size));
    if (x->shape()[dim] == n)
      continue;
    dims.push_back(dim);
    result[dim] = n;
  }
  tx::InterpolateAttributes attributes{.linear = options.linear,
                                       .alignCorners = options.alignCorners,
                                       .dims = dims};
  return composite(r, OpKind::Interpolate, x->dtype(), x, attributes, result);
}

} // namespace tensorc::graph
