//===- LiveHandles.cpp - Which intermediate values are stored -------------===//

#include "compiler/graph/LiveHandles.h"

#include "compiler/log/Environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorc::graph {

/// Maximum number of ops to recompute instead of storing a value. Recomputing
/// more costs more time than the memory traffic of the value.
static constexpr unsigned maxCone = 16;
/// Maximum size of a value of constants that is stored at once. Writing it costs
/// less than compiling a program that reads it.
static constexpr int64_t maxConstantBytes = 1 << 20;

bool isTrivial(const Node *node) {
  constexpr unsigned maxViews = 8;
  for (unsigned views = 0; views < maxViews; ++views) {
    if (isArgument(*node))
      return true;
    switch (node->op()) {
    case OpKind::Full:
    case OpKind::Iota:
      return true;
    case OpKind::Broadcast:
    case OpKind::Reshape:
    case OpKind::Transpose:
    case OpKind::Slice:
      node = node->inputs()[0];
      continue;
    default:
      return false;
    }
  }
  return false;
}

bool isOfScalars(const Node &node) {
  if (isArgument(node) || byteWidth(node.dtype()) < 1)
    return false;
  if (node.op() == OpKind::Full)
    return true;
  return node.op() == OpKind::Concatenate && node.rank() == 1 &&
         llvm::all_of(node.inputs(), [](const Node *part) {
           return !isArgument(*part) && part->op() == OpKind::Full;
         });
}

llvm::SmallVector<char, 64> bytesOfScalars(const Node &node) {
  llvm::SmallVector<char, 64> bytes;
  auto append = [&](const Node &full) {
    uint64_t bits = full.attributes<FullAttributes>().bits;
    const char *begin = reinterpret_cast<const char *>(&bits);
    for (int64_t i = 0, n = full.numElements(); i < n; ++i)
      bytes.append(begin, begin + byteWidth(full.dtype()));
  };
  if (node.op() == OpKind::Full)
    append(node);
  else
    for (const Node *part : node.inputs())
      append(*part);
  return bytes;
}

std::optional<Row> rowOf(const Node &node) {
  const Node &slice = unreshaped(node);
  if (isArgument(slice) || slice.op() != OpKind::Slice)
    return std::nullopt;
  Node *value = slice.inputs()[0];
  if (!value->isEvaluated() || value->split() ||
      byteWidth(value->dtype()) < 1 || slice.shape()[0] != 1 ||
      slice.shape().drop_front() != value->shape().drop_front())
    return std::nullopt;
  auto attributes = slice.attributes<tx::SliceAttributes>();
  return Row{value, attributes.staticOffsets[0] * node.byteSize()};
}

bool beginsSum(const Node &node) {
  if (isArgument(node) || node.op() != OpKind::Add ||
      !node.inputs()[1]->hasHandle())
    return false;
  const Node *first = node.inputs()[0];
  while (!isArgument(*first) && first->op() == OpKind::Broadcast)
    first = first->inputs()[0];
  return !isArgument(*first) && first->op() == OpKind::Full &&
         first->attributes<FullAttributes>().bits == 0;
}

/// Returns the number of ops that recomputing the node costs, 0 for constants.
/// Returns nullopt if it is not an element-wise or shape op.
static std::optional<unsigned> costOf(const Node &node) {
  switch (node.op()) {
  case OpKind::Full:
  case OpKind::Iota:
    return 0;
  case OpKind::Broadcast:
  case OpKind::Reshape:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::Pad:
  case OpKind::Concatenate:
    return 1;
  default:
    if (unsigned ops = traits(node.op()).elementwiseOps)
      return ops;
    return std::nullopt;
  }
}

bool isElementwise(const Node &node) {
  switch (node.op()) {
  case OpKind::Full:
  case OpKind::Iota:
  case OpKind::Broadcast:
    return true;
  default:
    return traits(node.op()).elementwiseOps > 0;
  }
}

/// True if at most 32 ops compute the node from constants alone, and none of them
/// is a concatenation, which is often the first of a list that grows.
static bool isOfConstants(const Node &node) {
  constexpr size_t maxNodes = 32;
  llvm::SmallVector<const Node *, maxNodes> nodes{&node};
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (isArgument(*nodes[i]) || nodes[i]->op() == OpKind::Concatenate ||
        nodes.size() > maxNodes)
      return false;
    for (const Node *operand : operandsOf(*nodes[i]))
      if (!llvm::is_contained(nodes, operand))
        nodes.push_back(operand);
  }
  return true;
}

bool mayStayUnstored(const Node &node,
                     llvm::function_ref<bool(const Node &)> isStored) {
  if (node.wasReached() || storesIntermediates())
    return false;
  unsigned cost = 0;
  int64_t kept = 0, most = node.byteSize();
  llvm::SmallPtrSet<const Node *, maxCone> seen;
  llvm::SmallVector<const Node *, maxCone> worklist{&node};
  while (!worklist.empty()) {
    const Node &next = *worklist.pop_back_val();
    std::optional<unsigned> one = costOf(next);
    if (!one || (cost += *one) > maxCone)
      return false;
    for (const Node *operand : operandsOf(next)) {
      if (!seen.insert(operand).second)
        continue;
      // The operand belongs to a variable that was rebound after an evaluation,
      // as happens in loops. If the node was not stored, the expression would
      // become longer in each iteration.
      bool stored = isStored(*operand);
      if (operand->wasReached() && !operand->hasHandle() &&
          (operand->isEvaluated() || !stored))
        return false;
      if (!stored)
        worklist.push_back(operand);
      else if (llvm::AddOverflow(kept, operand->byteSize(), kept) ||
               kept > most)
        return false;
    }
  }
  return node.byteSize() > maxConstantBytes || !isOfConstants(node);
}

static std::atomic<bool> &storeAll() {
  static std::atomic<bool> on = readSwitch("TENSORC_STORE_INTERMEDIATES");
  return on;
}

bool storesIntermediates() {
  return storeAll().load(std::memory_order_relaxed);
}

void setStoreIntermediates(bool on) { storeAll() = on; }

} // namespace tensorc::graph
