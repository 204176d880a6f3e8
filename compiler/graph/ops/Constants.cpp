//===- Constants.cpp - Weights that are packed once -----------------------===//

#include "compiler/graph/ops/Constants.h"

#include "compiler/graph/NodeHooks.h"
#include "compiler/graph/Tapes.h"
#include "compiler/graph/ops/Rules.h"
#include "ir/shape/ColumnBlocks.h"

#include "llvm/ADT/DenseMap.h"

namespace tensorc::graph {

/// Number of columns of a packed block, as for f32 with AVX-512. Kernels with
/// narrower tiles copy a block into their panel.
static constexpr int64_t blockColumns = shape::columnsOfBlock(16);
/// Minimum size of a weight that is stored in blocks. Smaller weights stay in
/// L1 in any layout.
static constexpr int64_t minBlockedBytes = 1 << 14;

namespace {
/// A packed form of a constant: the reduction dim, the dtype, and the number of
/// reduction steps per word, or 0 for blocks of columns.
struct Form {
  int64_t sum;
  DType dtype;
  int64_t wordSteps;

  bool operator==(const Form &) const = default;
};

struct Constant {
  PackingHooks hooks{};
  llvm::SmallVector<std::pair<Form, NodeRef>, 2> packed;
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
  for (auto &[form, packed] : known->second.packed)
    dropped.push_back(packed.leak());
  all.list.erase(known);
  all.count = all.list.size();
}

void declareConstant(const Node &node, const PackingHooks &hooks) {
  Constants &all = constants();
  std::scoped_lock lock(all.mutex);
  all.list[&node].hooks = hooks;
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

/// Returns the input of a node that has this op, else null.
static NodeRef inputOf(const NodeRef &node, OpKind op) {
  if (node->op() != op)
    return {};
  std::scoped_lock lock(graphMutex());
  return node->inputs().empty() ? NodeRef() : node->inputs().front();
}

/// Returns y if it is a constant. If y is the transpose of a constant, returns
/// the constant and changes the reduction dim `sum` to the constant's dim.
static NodeRef constantOf(const NodeRef &y, int64_t &sum) {
  if (isConstant(*y.get()))
    return y;
  NodeRef source = inputOf(y, OpKind::Transpose);
  if (!source || !isConstant(*source.get()))
    return {};
  sum = 1 - sum;
  return source;
}

/// Returns the constant of which y is a conversion, perhaps transposed, as
/// `constantOf` does.
static NodeRef constantOfConverted(const NodeRef &y, int64_t &sum) {
  if (NodeRef source = inputOf(y, OpKind::Convert))
    return constantOf(source, sum);
  if (NodeRef source = inputOf(y, OpKind::Transpose))
    if (NodeRef weight = inputOf(source, OpKind::Convert);
        weight && isConstant(*weight.get())) {
      sum = 1 - sum;
      return weight;
    }
  return constantOf(y, sum);
}

static bool isOnProcessor(const Node &node) {
  if (!node.device())
    return false;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(node.device(), &properties);
  return llvm::StringRef(properties.target).starts_with("cpu");
}

static NodeRef pack(Recorder &r, const NodeRef &weight, const Form &form) {
  NodeRef matrix = astype(r, weight, form.dtype);
  auto layout =
      form.wordSteps
          ? shape::columnWords(dimsOf(matrix), form.sum, form.wordSteps)
          : shape::columnBlocks(dimsOf(matrix), form.sum, blockColumns);
  Shape parts;
  for (shape::Dim dim : layout.dims)
    parts.push_back(*dim.number());
  return transpose(r, reshape(r, matrix, parts), layout.permutation);
}

static NodeRef packedOf(Recorder &r, const NodeRef &weight, const Form &form) {
  Constants &all = constants();
  auto find = [&]() -> NodeRef {
    for (auto &[made, packed] : all.list[weight.get()].packed)
      if (made == form)
        return packed;
    return {};
  };
  PackingHooks hooks;
  {
    std::scoped_lock lock(all.mutex);
    if (NodeRef known = find())
      return known;
    hooks = all.list[weight.get()].hooks;
  }
  NodeRef packed = pack(r, weight, form);
  if (!packed || !hooks.evaluate || !hooks.evaluate(packed.get()))
    return {};
  std::scoped_lock lock(all.mutex);
  // Another thread may have packed the constant in the meantime.
  if (NodeRef known = find())
    return known;
  all.list[weight.get()].packed.push_back({form, packed});
  return packed;
}

static bool multipliesTiles(const NodeRef &weight, DType dtype) {
  Constants &all = constants();
  bool (*multiplies)(const Node &, DType);
  {
    std::scoped_lock lock(all.mutex);
    multiplies = all.list[weight.get()].hooks.multipliesTiles;
  }
  return multiplies && multiplies(*weight.get(), dtype);
}

static bool hasOneRow(const NodeRef &x, llvm::ArrayRef<int64_t> xSum) {
  for (int64_t d = 0; d < x->rank(); ++d)
    if (!llvm::is_contained(xSum, d) && x->shape()[d] != 1)
      return false;
  return true;
}

/// True for one row times a matrix that is contiguous along the reduction dim.
/// Such a product becomes a row reduction (`--tx-expand-degenerate`), and a
/// packed product would have other bits.
static bool isRowOfDotProducts(const NodeRef &x, const NodeRef &weight,
                               int64_t sum, llvm::ArrayRef<int64_t> xSum) {
  return sum == 1 && isIn(weight->dtype(), floatMask) && hasOneRow(x, xSum);
}

/// Returns the reshaped product with its last two dims, blocks of columns and
/// columns, merged.
static NodeRef merged(Recorder &r, const NodeRef &product, int64_t columns) {
  if (!product)
    return {};
  Shape whole(product->shape().drop_back(2));
  whole.push_back(columns);
  return reshape(r, product, whole);
}

static NodeRef dotOfBlocks(Recorder &r, const NodeRef &x, const NodeRef &y,
                           int64_t sum, llvm::ArrayRef<int64_t> xSum) {
  int64_t columns = y->shape()[1 - sum];
  if (x->dtype() != y->dtype() || columns % blockColumns != 0)
    return {};
  NodeRef weight = constantOf(y, sum);
  if (!weight || !isOnProcessor(*weight.get()) ||
      isRowOfDotProducts(x, weight, sum, xSum))
    return {};
  NodeRef packed = packedOf(r, weight, {sum, weight->dtype(), 0});
  if (!packed)
    return {};
  auto numbers = shape::numbersOfBlocks(xSum);
  return merged(r,
                dotGeneral(r, x, packed, numbers.xBatch, numbers.yBatch,
                           numbers.xContracting, numbers.yContracting),
                columns);
}

/// The factors of a product that tile registers compute: bf16, or bytes that
/// are widened to i32. `x` and the constant `weight` are not widened.
namespace {
struct TileFactors {
  NodeRef x, weight;
  DType dtype;
};
} // namespace

static std::optional<TileFactors> tileFactors(const NodeRef &x,
                                              const NodeRef &y, int64_t &sum) {
  NodeRef weight = constantOfConverted(y, sum);
  if (!weight || x->dtype() != y->dtype())
    return std::nullopt;
  if (y->dtype() == DType::BF16)
    return TileFactors{x, weight, DType::BF16};
  auto isByte = [](const NodeRef &node) {
    return node->dtype() == DType::I8 || node->dtype() == DType::UI8;
  };
  NodeRef bytes = inputOf(x, OpKind::Convert);
  if (y->dtype() != DType::I32 || !bytes || !isByte(bytes) || !isByte(weight))
    return std::nullopt;
  return TileFactors{bytes, weight, weight->dtype()};
}

/// Returns the product in which the constant is packed in words. Returns null if
/// the sizes are no multiples of a block or packing fails, and nullopt if the
/// device multiplies no tiles of these operands.
static std::optional<NodeRef> dotOfWords(Recorder &r, const NodeRef &x,
                                         const NodeRef &y, int64_t sum,
                                         llvm::ArrayRef<int64_t> xSum) {
  int64_t steps = y->shape()[sum], columns = y->shape()[1 - sum];
  auto factors = tileFactors(x, y, sum);
  if (!factors || !isOnProcessor(*factors->weight.get()) ||
      hasOneRow(x, xSum) || !multipliesTiles(factors->weight, factors->dtype))
    return std::nullopt;
  int64_t wordSteps = factors->dtype == DType::BF16 ? 2 : 4;
  if (columns % blockColumns != 0 ||
      steps % (wordSteps * shape::columnsOfWords) != 0)
    return NodeRef();
  NodeRef packed =
      packedOf(r, factors->weight, {sum, factors->dtype, wordSteps});
  if (!packed)
    return NodeRef();
  int64_t k = xSum.front();
  Shape split(factors->x->shape());
  split[k] = steps / wordSteps;
  split.insert(split.begin() + k + 1, wordSteps);
  int64_t both[] = {k, k + 1};
  auto numbers = shape::numbersOfWords(both);
  NodeRef product =
      dotGeneral(r, astype(r, reshape(r, factors->x, split), x->dtype()),
                 astype(r, packed, y->dtype()), numbers.xBatch, numbers.yBatch,
                 numbers.xContracting, numbers.yContracting);
  return merged(r, product, columns);
}

NodeRef dotOfConstant(Recorder &r, const NodeRef &x, const NodeRef &y,
                      const tx::DotGeneralAttributes &attributes) {
  if (constants().count.load(std::memory_order_relaxed) == 0 ||
      Tapes::current() || y->rank() != 2 || x->rank() < 2 ||
      x->rank() + 1 > maxRank || !attributes.yBatch.empty() ||
      attributes.yContracting.size() != 1 || !isIn(y->dtype(), numberMask) ||
      y->byteSize() < minBlockedBytes)
    return {};
  int64_t sum = attributes.yContracting.front();
  if (auto product = dotOfWords(r, x, y, sum, attributes.xContracting))
    return *product;
  return dotOfBlocks(r, x, y, sum, attributes.xContracting);
}

} // namespace tensorc::graph
