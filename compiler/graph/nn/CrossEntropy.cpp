//===- CrossEntropy.cpp - Recording the cross-entropy loss ----------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

namespace tensorc::graph {

NodeRef crossEntropy(Recorder &r, const NodeRef &logits, const NodeRef &labels,
                     const NodeRef &weight, const CrossEntropy &options) {
  const char *name = "cross_entropy";
  if (!needFloat(r, name, logits))
    return {};
  if (!labels || !isIn(labels->dtype(), integerMask))
    return r.fail(name,
                  labels ? llvm::Twine("labels must be integers, not ") +
                               dtypeName(labels->dtype())
                         : llvm::Twine("the labels are an undefined tensor"));
  int64_t rank = logits->rank();
  Ints classes = rank ? logits->shape().slice(rank == 1 ? 0 : 1, 1) : Ints();
  if (weight && rank &&
      (weight->shape() != classes || !isIn(weight->dtype(), floatMask)))
    return r.fail(name, "weights must be floats of shape " +
                            shapeString(classes) + ", not " +
                            dtypeName(weight->dtype()) +
                            shapeString(weight->shape()));
  if (!(options.labelSmoothing >= 0 && options.labelSmoothing <= 1))
    return r.fail(name, "label smoothing must lie between 0 and 1");
  NodeRef ignored = full(r, DType::I64, {}, Scalar::of(options.ignoreIndex)),
          smoothing;
  if (options.labelSmoothing > 0)
    smoothing = number(r, DType::F64, options.labelSmoothing);
  return composite(r, OpKind::CrossEntropy, logits->dtype(),
                   {logits, labels, ignored, weight, smoothing},
                   tx::CrossEntropyAttributes{presenceOf({weight, smoothing}),
                                              options.reduction});
}

} // namespace tensorc::graph
