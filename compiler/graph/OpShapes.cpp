//===- OpShapes.cpp - The shape rule of a node's op -----------------------===//

#include "compiler/graph/OpShapes.h"

#include "ir/library/OpShapes.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::graph {

std::optional<shape::InferredShape> inferShape(OpKind op,
                                               shape::Operands operands,
                                               llvm::ArrayRef<int64_t> words,
                                               shape::Dims result) {
  switch (op) {
#define CASE(Name, Attributes)                                                 \
  case OpKind::Name:                                                           \
    return tx::infer##Name(operands, tx::Attributes::read(words), result);
    TENSORC_SHAPED_OPS(CASE)
    TENSORC_COMPOSITES(CASE)
#undef CASE
  default:
    return std::nullopt;
  }
}

llvm::SmallVector<int64_t> windowDimsOf(const Node &node) {
  switch (node.op()) {
  case OpKind::Windows:
    return llvm::to_vector(node.attributes<tx::WindowsAttributes>().dims);
  case OpKind::MaxPool:
    return llvm::to_vector(node.attributes<tx::WindowAttributes>().dims);
  case OpKind::AvgPool:
    return llvm::to_vector(node.attributes<tx::AvgPoolAttributes>().dims);
  case OpKind::ReduceWindow:
    return llvm::to_vector(node.attributes<tx::ReduceWindowAttributes>().dims);
  case OpKind::Conv:
  case OpKind::ConvTranspose: {
    auto attributes = node.attributes<tx::ConvolutionAttributes>();
    int64_t first = attributes.channelsLast ? 1 : 2;
    int64_t dims = attributes.sizes.size();
    return llvm::to_vector(llvm::seq<int64_t>(first, first + dims));
  }
  default:
    return {};
  }
}

} // namespace tensorc::graph
