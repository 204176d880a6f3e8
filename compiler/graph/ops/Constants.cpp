//===- Constants.cpp - Weights that are packed once -----------------------===//

#include "compiler/graph/ops/Constants.h"

#include "compiler/graph/NodeHooks.h"
#include "compiler/graph/Tapes.h"
#include "compiler/graph/ops/Rules.h"
#include "ir/shape/ColumnBlocks.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace tensorc::graph {

/// Number of columns of a packed block, as for f32 with AVX-512. Kernels with
/// narrower tiles copy a block into their panel.
static constexpr int64_t blockColumns = shape::columnsOfBlock(16);
/// Minimum size of a weight that is stored in blocks. Smaller weights stay in
/// L1 in any layout.
static constexpr int64_t minBlockedBytes = 1 << 14;

namespace {
struct Constant {
  EvaluateFn evaluate = nullptr;
  /// The constant as packed for products that contract its first dim, and its
  /// second dim. Null if not packed yet.
  std::array<NodeRef, 2> packed;
};

struct Constants {
  std::mutex mutex;
  llvm::DenseMap<const Node *, Constant> list;
  /// Size of the list, which is read without the mutex.
  std::atomic<size_t> count{0};
};
} // namespace

/// Never destroyed, because nodes may be destroyed after all static objects.
static Constants &constants() {
  static auto *all = new Constants;
  return *all;
}

/// Forgets a node that is being destroyed.
static void forgetConstant(const Node &node,
                           llvm::SmallVectorImpl<Node *> &dropped) {
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

void declareConstant(const Node &node, EvaluateFn evaluate) {
  Constants &all = constants();
  std::scoped_lock lock(all.mutex);
  all.list[&node].evaluate = evaluate;
  all.count = all.list.size();
  detail::forgetNode.store(forgetConstant, std::memory_order_relaxed);
}

bool isConstant(const Node &node) {
  Constants &all = constants();
  if (all.count.load(std::memory_order_relaxed) == 0)
    return false;
  std::scoped_lock lock(all.mutex);
  return all.list.contains(&node);
}

/// Returns y if it is a constant. If y is the transpose of a constant, returns
/// the constant and changes the reduction dim `sum` to the constant's dim.
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

static NodeRef pack(Recorder &r, const NodeRef &weight, int64_t sum) {
  auto layout = shape::columnBlocks(dimsOf(weight), sum, blockColumns);
  Shape parts;
  for (shape::Dim dim : layout.dims)
    parts.push_back(*dim.number());
  return transpose(r, reshape(r, weight, parts), layout.permutation);
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
  NodeRef packed = pack(r, weight, sum);
  if (!packed || !evaluate(packed.get()))
    return {};
  std::scoped_lock lock(all.mutex);
  NodeRef &kept = all.list[weight.get()].packed[sum];
  // Another thread may have packed the constant in the meantime.
  if (!kept)
    kept = packed;
  return kept;
}

/// True for one row times a matrix that is contiguous along the reduction dim.
/// Such a product becomes a row reduction (`--tx-expand-degenerate`), and a
/// packed product would have other bits.
static bool isRowOfDotProducts(const NodeRef &x, const NodeRef &weight,
                               int64_t sum, llvm::ArrayRef<int64_t> xSum) {
  if (sum != 1 || !isIn(weight->dtype(), floatMask))
    return false;
  for (int64_t d = 0; d < x->rank(); ++d)
    if (!llvm::is_contained(xSum, d) && x->shape()[d] != 1)
      return false;
  return true;
}

NodeRef dotOfConstant(Recorder &r, const NodeRef &x, const NodeRef &y,
                      const tx::DotGeneralAttributes &attributes) {
  if (constants().count.load(std::memory_order_relaxed) == 0 ||
      Tapes::current() || y->rank() != 2 || x->rank() < 2 ||
      x->rank() + 1 > maxRank || !attributes.yBatch.empty() ||
      attributes.yContracting.size() != 1 || x->dtype() != y->dtype() ||
      !isIn(y->dtype(), numberMask))
    return {};
  int64_t sum = attributes.yContracting.front();
  int64_t columns = y->shape()[1 - sum];
  if (columns % blockColumns != 0 || y->byteSize() < minBlockedBytes)
    return {};
  NodeRef weight = constantOf(y, sum);
  if (!weight || !isOnProcessor(*weight.get()) ||
      isRowOfDotProducts(x, weight, sum, attributes.xContracting))
    return {};
  NodeRef packed = packedOf(r, weight, sum);
  if (!packed)
    return {};
  auto numbers = shape::numbersOfBlocks(attributes.xContracting);
  NodeRef product = dotGeneral(r, x, packed, numbers.xBatch, numbers.yBatch,
                               numbers.xContracting, numbers.yContracting);
  if (!product)
    return {};
  Shape whole(product->shape().drop_back(2));
  whole.push_back(columns);
  return reshape(r, product, whole);
}

} // namespace tensorc::graph
