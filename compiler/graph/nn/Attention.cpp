//===- Attention.cpp - Recording scaled dot-product attention -------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include <cmath>

namespace tensorc::graph {

/// Returns the number of heads of q per head of k, or 1 if it is not an
/// integer.
static int64_t groupsOf(const Node &q, const Node &k) {
  unsigned rank = q.rank();
  if (rank < 3 || k.rank() != rank)
    return 1;
  int64_t heads = q.shape()[rank - 3], keys = k.shape()[rank - 3];
  return keys > 0 && heads % keys == 0 && heads > 0 ? heads / keys : 1;
}

NodeRef attention(Recorder &r, const NodeRef &q, const NodeRef &k,
                  const NodeRef &v, const NodeRef &mask, bool causal,
                  std::optional<double> scale) {
  const char *name = "attention";
  if (!needFloat(r, name, q) || !needFloat(r, name, k) ||
      !needFloat(r, name, v))
    return {};
  if (mask && !isIn(mask->dtype(), floatMask | boolMask))
    return r.fail(name, llvm::Twine("the mask must be i1 or a float, not ") +
                            dtypeName(mask->dtype()));
  DType dtype = *promote(*promote(q->dtype(), k->dtype()), v->dtype());
  double size =
      q->rank() ? static_cast<double>(q->shape()[q->rank() - 1]) : 1.0;
  NodeRef factor = number(r, dtype, scale ? *scale : 1 / std::sqrt(size));
  return composite(r, OpKind::Attention, dtype,
                   {astype(r, q, dtype), astype(r, k, dtype),
                    astype(r, v, dtype), factor, mask},
                   tx::AttentionAttributes{presenceOf({mask}),
                                           groupsOf(*q.get(), *k.get()),
                                           causal});
}

} // namespace tensorc::graph
