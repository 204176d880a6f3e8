//===- AttentionPattern.cpp - Matches softmax(q kT) v ---------------------===//

#include "codegen/emitters/plans/AttentionPattern.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

/// Maximum number of ops that the search for q k^T visits. It bounds the time
/// for scores with a mask that many ops compute.
static constexpr size_t maxOps = 64;

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

static std::optional<int64_t> sizeOf(Value v, int64_t dim) {
  RankedTensorType type = typeOf(v);
  if (type.isDynamicDim(dim))
    return std::nullopt;
  return type.getDimSize(dim);
}

SmallVector<AffineExpr> AttentionPattern::shape(tx::DimSpace &names) const {
  tx::DotGeneralOp products = this->products, result = this->result;
  SmallVector<AffineExpr> shape = names.dims(result.getType());
  shape.push_back(names.dims(result.getX().getType()).back());
  shape.push_back(
      names.dims(products.getX().getType())[products.getXContracting()[0]]);
  return shape;
}

unsigned AttentionPattern::keyDim() const {
  return typeOf(tx::DotGeneralOp(result).getResult()).getRank();
}

/// Returns the index of an operand of a dot_general: `summed` along its
/// contracted dim, the dims of `all` along its batch dims, and `free` along its
/// other dims, in order.
static Index operandIndex(Value operand, ArrayRef<int64_t> batch,
                          ArrayRef<int64_t> sum, ArrayRef<AffineExpr> all,
                          AffineExpr summed, ArrayRef<AffineExpr> free) {
  Index index(typeOf(operand).getRank());
  for (auto [i, d] : llvm::enumerate(batch))
    index[d] = all[i];
  index[sum[0]] = summed;
  for (AffineExpr &e : index)
    if (!e) {
      e = free.front();
      free = free.drop_front();
    }
  return index;
}

AttentionPattern::Indices
AttentionPattern::indices(ArrayRef<AffineExpr> all) const {
  tx::DotGeneralOp qk = products, wv = result;
  AffineExpr key = all[keyDim()], depth = all[depthDim()];
  unsigned batch = wv.getXBatch().size();
  auto rows = all.slice(batch, keyDim() - 1 - batch);
  Indices indices;
  indices.q = operandIndex(qk.getX(), qk.getXBatch(), qk.getXContracting(), all,
                           depth, rows);
  indices.k = operandIndex(qk.getY(), qk.getYBatch(), qk.getYContracting(), all,
                           depth, key);
  indices.v = operandIndex(wv.getY(), wv.getYBatch(), wv.getYContracting(), all,
                           key, all[keyDim() - 1]);
  indices.weights = operandIndex(wv.getX(), wv.getXBatch(),
                                 wv.getXContracting(), all, key, rows);
  return indices;
}

Index AttentionPattern::scoreIndex(
    const Indices &indices, const analysis::IterationSpace &space,
    function_ref<AffineExpr(Value)> symbolOf) const {
  Index found;
  analysis::walkReads(
      tx::DotGeneralOp(result).getX(), indices.weights, space, symbolOf,
      [&](Value at) { return at == weight; },
      [&](Value at, const Index &index) {
        if (at == weight)
          found = index;
      },
      [](const analysis::Guard &) {});
  return found;
}

AttentionSizes AttentionPattern::sizes() const {
  tx::DotGeneralOp qk = products, wv = result;
  auto last = [](Value v) { return sizeOf(v, typeOf(v).getRank() - 1); };
  AttentionSizes sizes;
  sizes.rows = 1;
  for (int64_t d : llvm::seq<int64_t>(wv.getXBatch().size(), keyDim() - 1)) {
    std::optional<int64_t> size = sizeOf(wv.getResult(), d);
    sizes.rows =
        size && sizes.rows ? std::optional(*size * *sizes.rows) : std::nullopt;
    sizes.lastRows = size;
  }
  sizes.keys = last(wv.getX());
  sizes.depth = sizeOf(qk.getX(), qk.getXContracting()[0]);
  sizes.columns = last(wv.getResult());
  sizes.operands = typeOf(qk.getX()).getElementType();
  sizes.result = wv.getType().getElementType();
  sizes.accumulator = accumulator;
  return sizes;
}

namespace {
class Matcher {
public:
  Matcher(tx::DotGeneralOp result, tx::DimSpace &names,
          function_ref<bool(Operation *)> isPart)
      : names(names), isPart(isPart) {
    found.result = result;
  }

  std::optional<AttentionPattern> match() {
    if (!matchWeights() || !matchShift() || !matchScores() ||
        !matchDimensions() || !matchTypes() || !isClosed())
      return std::nullopt;
    return found;
  }

private:
  AttentionPattern found;
  tx::DimSpace &names;
  function_ref<bool(Operation *)> isPart;

  bool matchWeights();
  bool matchNormalized(Value weights, Value factor);
  bool matchShift();
  bool matchScores();
  bool matchDimensions();
  bool matchTypes();
  bool isClosed();
  bool isRow(Value v);
  std::optional<bool> leadsToProducts(Value v);
  llvm::DenseMap<Operation *, bool> leads;
};
} // namespace

/// Matches the ops from the second product back to exp, which include the
/// division by the sum.
bool Matcher::matchWeights() {
  bool converted = false;
  Value v = found.result.getX();
  while (Operation *op = v.getDefiningOp()) {
    if (isa<tx::ConvertOp>(op) && !converted)
      converted = true;
    else if (!isa<tx::ReshapeOp>(op))
      break;
    found.ops.insert(op);
    v = op->getOperand(0);
  }
  Operation *op = v.getDefiningOp();
  if (!isa_and_nonnull<tx::MulOp, tx::DivOp>(op))
    return false;
  found.divides = isa<tx::DivOp>(op);
  found.ops.insert(op);
  Value x = op->getOperand(0), y = op->getOperand(1);
  return matchNormalized(x, y) || (!found.divides && matchNormalized(y, x));
}

bool Matcher::matchNormalized(Value weights, Value factor) {
  auto exp = weights.getDefiningOp<tx::ExpOp>();
  found.difference = exp ? exp.getX().getDefiningOp<tx::SubOp>() : nullptr;
  if (!found.difference)
    return false;
  found.weight = weights;
  found.factor = factor;
  found.score = found.difference.getX();
  found.shift = found.difference.getY();
  found.ops.insert(exp);
  found.ops.insert(found.difference);
  return true;
}

static bool reducesLast(Operation *op) {
  auto dims = cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef();
  return dims.size() == 1 && dims[0] == typeOf(op->getOperand(0)).getRank() - 1;
}

/// True if the value is the same for all keys of a row of scores, and computed
/// only from the row's maximum, its sum and constants.
bool Matcher::isRow(Value v) {
  SmallVector<AffineExpr> dims = names.dims(typeOf(found.score));
  if (dims.empty() || names.dims(typeOf(v)) != dims)
    return false;
  analysis::IterationSpace space(names, dims);
  Index all = space.identity(), row(ArrayRef(all).drop_back());
  auto reduction = [&](Value r) -> Operation ** {
    Operation *op = r.getDefiningOp();
    if (auto max = dyn_cast_or_null<tx::ReduceMaxOp>(op))
      return max.getX() == found.score && reducesLast(op) ? &found.max
                                                          : nullptr;
    if (auto sum = dyn_cast_or_null<tx::SumOp>(op))
      return sum.getX() == found.weight && reducesLast(op) ? &found.sum
                                                           : nullptr;
    return nullptr;
  };
  auto isPath = [](Operation *op) {
    if (auto constant = dyn_cast_or_null<tx::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return op && (op->hasTrait<tx::Elementwise>() ||
                  isa<tx::BroadcastOp, tx::ReshapeOp>(op));
  };
  // Along a dim of size 1, the constant 0 is the same index.
  auto isSame = [&](const Index &index) {
    if (index.size() != row.size())
      return false;
    for (auto [i, e] : llvm::enumerate(index))
      if (e != row[i] &&
          !(dims[i] == names.constant(1) && e == names.constant(0)))
        return false;
    return true;
  };
  bool holds = true;
  analysis::walkReads(
      v, all, space, [&](Value) { return names.constant(0); },
      [&](Value at) {
        Operation *op = at.getDefiningOp();
        bool walks = isPath(op) && found.ops.size() < maxOps;
        if (walks && !isa<tx::ConstantOp>(op))
          found.ops.insert(op);
        return !walks;
      },
      [&](Value at, const Index &index) {
        Operation **slot = reduction(at);
        holds &= slot && isSame(index);
        if (!holds)
          return;
        *slot = at.getDefiningOp();
        found.ops.insert(*slot);
      },
      [](const analysis::Guard &) {});
  return holds;
}

bool Matcher::matchShift() {
  if (!isRow(found.shift) || !found.max || found.sum)
    return false;
  return isRow(found.factor) && found.sum;
}

/// Returns whether the value is computed element-wise from the first product.
/// Returns nullopt if it depends on several products, or if the search visited
/// too many ops.
std::optional<bool> Matcher::leadsToProducts(Value v) {
  Operation *op = v.getDefiningOp();
  if (!op || !isPart(op))
    return false;
  auto known = leads.find(op);
  if (known != leads.end())
    return known->second;
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op)) {
    if (names.dims(typeOf(dot)) != names.dims(typeOf(found.result.getX())))
      return false;
    if (found.products)
      return std::nullopt;
    found.products = dot;
    found.ops.insert(op);
    return leads[op] = true;
  }
  if (!op->hasTrait<tx::Elementwise>() && !isa<tx::ReshapeOp>(op))
    return false;
  if (leads.size() >= maxOps)
    return std::nullopt;
  bool any = leads[op] = false;
  for (Value operand : op->getOperands()) {
    std::optional<bool> one = leadsToProducts(operand);
    if (!one)
      return std::nullopt;
    any |= *one;
  }
  if (any)
    found.ops.insert(op);
  return leads[op] = any;
}

bool Matcher::matchScores() {
  std::optional<bool> leads = leadsToProducts(found.score);
  return leads && *leads;
}

/// True if products and weights have the same shape, with batch dims first and
/// keys last.
bool Matcher::matchDimensions() {
  tx::DotGeneralOp products = found.products, result = found.result;
  int64_t batch = result.getXBatch().size();
  RankedTensorType weights = typeOf(result.getX());
  int64_t last = weights.getRank() - 1;
  if (result.getXBatch() != ArrayRef(llvm::to_vector(llvm::seq(batch))) ||
      result.getXContracting() != ArrayRef<int64_t>{last} || last <= batch)
    return false;
  if (int64_t(products.getXBatch().size()) != batch ||
      products.getXContracting().size() != 1 ||
      typeOf(products.getY()).getRank() != batch + 2 ||
      typeOf(result.getY()).getRank() != batch + 2)
    return false;
  if (names.dims(typeOf(found.score)).back() != names.dims(weights).back())
    return false;
  Value seen[] = {products.getX(), products.getY(), result.getX(),
                  result.getY(), result.getResult()};
  for (Value v : seen)
    if (llvm::is_contained(typeOf(v).getShape(), 0))
      return false;
  return true;
}

bool Matcher::matchTypes() {
  tx::DotGeneralOp products = found.products, result = found.result;
  Type operand = typeOf(products.getX()).getElementType();
  if (operand != products.getType().getElementType() &&
      !products.getType().getElementType().isF32())
    return false;
  if (typeOf(result.getX()).getElementType() !=
      result.getType().getElementType())
    return false;
  Value floats[] = {found.products.getResult(), found.result.getResult(),
                    found.score, found.weight, found.result.getX()};
  for (Value v : floats) {
    Type element = typeOf(v).getElementType();
    if (!element.isF16() && !element.isBF16() && !element.isF32() &&
        !element.isF64())
      return false;
    Type wide = element.isF64() ? element : Float32Type::get(v.getContext());
    if (found.accumulator && found.accumulator != wide)
      return false;
    found.accumulator = wide;
  }
  return true;
}

/// True if only the pattern reads its intermediate values. If other ops read
/// them, they would have to be stored, and fusing would gain nothing. The same
/// holds if they are the second product's right operand.
bool Matcher::isClosed() {
  tx::DotGeneralOp result = found.result;
  if (found.ops.contains(result.getY().getDefiningOp()))
    return false;
  return llvm::all_of(found.ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == found.result || found.ops.contains(user);
    });
  });
}

std::optional<AttentionPattern>
matchAttention(tx::DotGeneralOp result, tx::DimSpace &names,
               function_ref<bool(Operation *)> isPart) {
  return Matcher(result, names, isPart).match();
}

std::optional<AttentionPattern> findAttention(tx::FusionOp fusion,
                                              tx::DimSpace &names) {
  tx::DotGeneralOp last;
  for (Operation &op : fusion.getBody().front())
    if (auto dot = dyn_cast<tx::DotGeneralOp>(op))
      last = dot;
  auto isPart = [](Operation *) { return true; };
  return last ? matchAttention(last, names, isPart) : std::nullopt;
}

} // namespace tensorc::codegen
