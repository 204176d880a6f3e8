//===- OpShapes.cpp - The shape rule of a node's op -----------------------===//

#include "compiler/graph/OpShapes.h"

#include "compiler/graph/LiveHandles.h"
#include "ir/library/OpShapes.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <unordered_map>

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

/// True if two slices take the same part of tensors of equal shape.
static bool areAlike(const Node &a, const Node &b) {
  return a.isLike(b) && a.inputs()[0]->shape() == b.inputs()[0]->shape() &&
         a.words() == b.words();
}

std::vector<std::pair<Node *, Node *>>
alikeSlices(llvm::ArrayRef<Node *> order) {
  // A short expression compiles quickly even if its sizes have different names.
  constexpr long minSlices = 16;
  auto isSlice = [](Node *node) {
    return node->op() == OpKind::Slice && !isArgument(*node);
  };
  std::vector<std::pair<Node *, Node *>> pairs;
  if (llvm::count_if(order, isSlice) < minSlices)
    return pairs;
  std::unordered_multimap<size_t, Node *> firsts;
  for (Node *node : order) {
    if (!isSlice(node))
      continue;
    size_t hash =
        llvm::hash_combine(llvm::hash_combine_range(node->shape()),
                           llvm::hash_combine_range(node->inputs()[0]->shape()),
                           llvm::hash_combine_range(node->words()));
    auto [begin, end] = firsts.equal_range(hash);
    auto known = std::find_if(begin, end, [&](auto &entry) {
      return areAlike(*entry.second, *node);
    });
    if (known != end)
      pairs.push_back({node, known->second});
    else
      firsts.emplace(hash, node);
  }
  return pairs;
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
