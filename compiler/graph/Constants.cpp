//===- Constants.cpp - Weights that are packed once -----------------------===//

#include "compiler/graph/Constants.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/graph/tape/Tapes.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace tensorc::graph {

/// Columns of a block: two vectors of f32 with AVX-512, as a tile of a kernel
/// has. Narrower tiles copy a block into their panel.
static constexpr int64_t blockColumns = 32;
/// Smaller weights stay in the nearest cache, however they lie.
static constexpr int64_t leastBytes = 1 << 14;

namespace {
struct Constant {
  EvaluateFn evaluate = nullptr;
  /// With the sum over the first dim, and over the second.
  std::array<NodeRef, 2> packed;
};

struct Constants {
  std::mutex mutex;
  llvm::DenseMap<const Node *, Constant> list;
  /// Of the list; read without the mutex.
  std::atomic<size_t> count{0};
};
} // namespace

/// Never destroyed: nodes may end after everything else.
static Constants &constants() {
  static auto *all = new Constants;
  return *all;
}

void declareConstant(const Node &node, EvaluateFn evaluate) {
  Constants &all = constants();
  std::scoped_lock lock(all.mutex);
  all.list[&node].evaluate = evaluate;
  all.count = all.list.size();
}

void forgetConstant(const Node &node, llvm::SmallVectorImpl<Node *> &dropped) {
  Constants &all = constants();
  if (all.count.load(std::memory_order_relaxed) == 0)
    return;
  std::scoped_lock lock(all.mutex);
  auto known = all.list.find(&node);
  if (known == all.list.end())
    return;
  for (NodeRef &packed : known->second.packed)
    if (packed)
      dropped.push_back(packed.leak());
  all.list.erase(known);
  all.count = all.list.size();
}

bool isConstant(const Node &node) {
  Constants &all = constants();
  if (all.count.load(std::memory_order_relaxed) == 0)
    return false;
  std::scoped_lock lock(all.mutex);
  return all.list.contains(&node);
}

/// The constant that y is, or is the transpose of; `sum` becomes its dim.
static NodeRef constantOf(const NodeRef &y, int64_t &sum) {
  if (isConstant(*y.get()))
    return y;
  if (y->op() != OpKind::Transpose)
    return {};
  std::scoped_lock lock(graphMutex());
  if (y->inputs().empty() || !isConstant(*y->inputs().front()))
    return {};
  sum = 1 - sum;
  return y->inputs().front();
}

static bool isOnProcessor(const Node &node) {
  if (!node.device())
    return false;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(node.device(), &properties);
  return llvm::StringRef(properties.target).starts_with("cpu");
}

/// The blocks: columns / 32, steps, 32.
static NodeRef record(Recorder &r, const NodeRef &weight, int64_t sum) {
  int64_t steps = weight->shape()[sum], columns = weight->shape()[1 - sum];
  int64_t blocks = columns / blockColumns;
  return sum == 1
             ? transpose(r, reshape(r, weight, {blocks, blockColumns, steps}),
                         {0, 2, 1})
             : transpose(r, reshape(r, weight, {steps, blocks, blockColumns}),
                         {1, 0, 2});
}

static NodeRef packedOf(Recorder &r, const NodeRef &weight, int64_t sum) {
  Constants &all = constants();
  EvaluateFn evaluate;
  {
    std::scoped_lock lock(all.mutex);
    Constant &known = all.list[weight.get()];
    if (known.packed[sum])
      return known.packed[sum];
    evaluate = known.evaluate;
  }
  NodeRef packed = record(r, weight, sum);
  if (!packed || !evaluate(packed.get()))
    return {};
  std::scoped_lock lock(all.mutex);
  NodeRef &kept = all.list[weight.get()].packed[sum];
  // Another thread may have been faster.
  if (!kept)
    kept = packed;
  return kept;
}

NodeRef dotOfConstant(Recorder &r, const NodeRef &x, const NodeRef &y,
                      const tx::DotGeneralAttributes &attributes) {
  if (constants().count.load(std::memory_order_relaxed) == 0 ||
      Tapes::current() || y->rank() != 2 || x->rank() < 2 ||
      !attributes.yBatch.empty() || attributes.yContracting.size() != 1 ||
      x->dtype() != y->dtype() || !isIn(y->dtype(), numberMask))
    return {};
  int64_t sum = attributes.yContracting.front();
  int64_t columns = y->shape()[1 - sum];
  if (columns % blockColumns != 0 || y->byteSize() < leastBytes)
    return {};
  NodeRef weight = constantOf(y, sum);
  if (!weight || !isOnProcessor(*weight.get()))
    return {};
  NodeRef packed = packedOf(r, weight, sum);
  if (!packed)
    return {};
  Shape shape;
  for (unsigned d = 0; d < x->rank(); ++d)
    if (static_cast<int64_t>(d) != attributes.xContracting.front())
      shape.push_back(x->shape()[d]);
  Shape whole = shape;
  whole.push_back(columns);
  shape.append({columns / blockColumns, blockColumns});
  if (shape.size() > maxRank)
    return {};
  int64_t packedSum = 1;
  tx::DotGeneralAttributes blocks{.xBatch = {},
                                  .yBatch = {},
                                  .xContracting = attributes.xContracting,
                                  .yContracting = packedSum};
  NodeRef product =
      NodeRef::take(Node::create(OpKind::DotGeneral, x->dtype(), shape,
                                 {x.get(), packed.get()}, blocks, r.location));
  return reshape(r, product, whole);
}

} // namespace tensorc::graph
