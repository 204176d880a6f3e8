//===- GraphCopies.cpp - Values that an evaluation copies -----------------===//

#include "compiler/session/placement/GraphCopies.h"

namespace tensorc::placement {

using graph::Node;

OperandWork operandOf(const Node &value) {
  OperandWork operand{static_cast<double>(value.byteSize()), {}};
  value.forEachBuffer([&](tensorc_rt_buffer *buffer) {
    operand.places.push_back(tensorc_rt_buffer_device(buffer));
  });
  return operand;
}

Work copiesOf(const graph::Trace &trace, llvm::ArrayRef<Node *> roots) {
  Work work;
  for (Node *node : trace.order)
    if (graph::isArgument(*node))
      work.operands.push_back(operandOf(*node));
  for (Node *root : roots)
    if (!graph::isArgument(*root))
      work.results.push_back(static_cast<double>(root->byteSize()));
  return work;
}

} // namespace tensorc::placement
