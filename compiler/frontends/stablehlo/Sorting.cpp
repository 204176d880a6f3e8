//===- Sorting.cpp - sort of StableHLO, and top_k -------------------------===//
//
// A comparator is converted to keys, which are pairs of operands to compare;
// the first pair that differs decides. Several keys become stable sorts, from
// the last key to the first. Any other comparator is applied to all pairs of
// elements, and an element's position is the number of elements that come
// before it.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

namespace {
/// The part of a complex number that is compared.
enum class Part { Whole, Real, Imag };

struct Key {
  unsigned operand;
  Part part;
  bool descending;
  /// True for the total order, in which -0 is below +0 and NaNs are ordered by
  /// their sign.
  bool total;
};

/// An argument of a comparator, in the form in which it is compared.
struct Compared {
  unsigned argument;
  Part part = Part::Whole;
  /// True if all zeros are replaced by +0, and all NaNs by one NaN.
  bool canonical = false;
};

class Comparator {
public:
  explicit Comparator(Block &block) : block(block) {}

  /// Returns the keys, or nullopt if the comparator is not recognized.
  std::optional<SmallVector<Key>> keys();

private:
  Block &block;

  std::optional<Compared> compared(Value value);
  bool addKeys(Value value, SmallVectorImpl<Key> &keys);
  std::optional<Key> key(Value value);
  bool isEquality(Value value, const Key &key);
};
} // namespace

/// Returns the argument that a value equals or is a part of, possibly after
/// its zeros were replaced by +0 and its NaNs by one NaN.
std::optional<Compared> Comparator::compared(Value value) {
  Compared found;
  Operation *select;
  while ((select = opNamed(value, "stablehlo.select"))) {
    Operation *test = opNamed(select->getOperand(0), "stablehlo.compare");
    if (!test || !opNamed(select->getOperand(1), "stablehlo.constant"))
      return std::nullopt;
    StringRef direction = wordIn(attributeOf(test, "comparison_direction"));
    if (direction != "EQ" && direction != "NE")
      return std::nullopt;
    found.canonical = true;
    value = select->getOperand(2);
  }
  if (Operation *real = opNamed(value, "stablehlo.real")) {
    found.part = Part::Real;
    value = real->getOperand(0);
  } else if (Operation *imag = opNamed(value, "stablehlo.imag")) {
    found.part = Part::Imag;
    value = imag->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &block)
    return std::nullopt;
  found.argument = argument.getArgNumber();
  return found;
}

std::optional<Key> Comparator::key(Value value) {
  Operation *compare = opNamed(value, "stablehlo.compare");
  if (!compare)
    return std::nullopt;
  auto x = compared(compare->getOperand(0));
  auto y = compared(compare->getOperand(1));
  if (!x || !y || x->argument / 2 != y->argument / 2 ||
      x->argument == y->argument || x->part != y->part)
    return std::nullopt;
  StringRef direction = wordIn(attributeOf(compare, "comparison_direction"));
  bool isLess = direction == "LT" || direction == "LE";
  if (!isLess && direction != "GT" && direction != "GE" && direction != "EQ")
    return std::nullopt;
  bool swapped = x->argument % 2 == 1;
  bool total = wordIn(attributeOf(compare, "compare_type")) == "TOTALORDER";
  return Key{x->argument / 2, x->part, isLess == swapped,
             total && !x->canonical && !y->canonical};
}

static StringRef directionOf(Value value) {
  Operation *compare = opNamed(value, "stablehlo.compare");
  return compare ? wordIn(attributeOf(compare, "comparison_direction")) : "";
}

bool Comparator::isEquality(Value value, const Key &wanted) {
  std::optional<Key> found = key(value);
  return found && directionOf(value) == "EQ" &&
         found->operand == wanted.operand && found->part == wanted.part;
}

bool Comparator::addKeys(Value value, SmallVectorImpl<Key> &keys) {
  if (Operation *either = opNamed(value, "stablehlo.or")) {
    std::optional<Key> first = key(either->getOperand(0));
    Operation *then = opNamed(either->getOperand(1), "stablehlo.and");
    if (!first || directionOf(either->getOperand(0)) == "EQ" || !then ||
        !isEquality(then->getOperand(0), *first))
      return false;
    keys.push_back(*first);
    return addKeys(then->getOperand(1), keys);
  }
  std::optional<Key> only = key(value);
  if (!only || directionOf(value) == "EQ")
    return false;
  keys.push_back(*only);
  return true;
}

std::optional<SmallVector<Key>> Comparator::keys() {
  SmallVector<Key> keys;
  if (block.empty() || block.back().getNumOperands() != 1 ||
      !addKeys(block.back().getOperand(0), keys))
    return std::nullopt;
  return keys;
}

static Value argsort(TensorBuilder &b, Value x, int64_t dim, bool descending) {
  return tx::ArgsortOp::create(b.b, b.loc, x, dim, descending);
}

static Value sorted(TensorBuilder &b, Value x, int64_t dim, bool descending) {
  return tx::SortOp::create(b.b, b.loc, x.getType(), x, dim, descending);
}

/// Returns a value whose order in tx.argsort is the order of the key.
static Value keyValue(TensorBuilder &b, Value x, const Key &key) {
  if (tx::isComplex(dtypeOf(x)))
    x = key.part == Part::Real ? realPart(b, x) : imagOf(b, x);
  bool isFloat = tx::isFloat(dtypeOf(x));
  return key.total && isFloat ? totalOrderKey(b, x) : x;
}

static bool countsAlong(Value value, int64_t dim) {
  auto iota = value.getDefiningOp<tx::IotaOp>();
  return iota && static_cast<int64_t>(iota.getDim()) == dim;
}

/// Returns the order by keys; failure after a diagnostic.
static FailureOr<Value> orderByKeys(Call &call, ArrayRef<Key> keys,
                                    int64_t dim) {
  TensorBuilder &b = call.b;
  for (const Key &key : keys) {
    DType dtype = dtypeOf(call.x[key.operand]);
    bool isWhole = key.part == Part::Whole;
    if (tx::isStorage(dtype) || tx::isComplex(dtype) == isWhole)
      return call.refuse() << "is not available for " << tx::dtypeName(dtype);
  }
  Value order;
  for (const Key &key : llvm::reverse(keys)) {
    Value x = keyValue(b, call.x[key.operand], key);
    if (!order) {
      order = argsort(b, x, dim, key.descending);
      continue;
    }
    Value next = argsort(b, b.takeAlong(x, order, dim), dim, key.descending);
    order = b.takeAlong(order, next, dim);
  }
  return order;
}

/// Returns the order by the comparator itself: element j is before i if it is
/// less, or if it is not greater and comes first.
static FailureOr<Value> orderByPairs(Call &call, int64_t dim) {
  TensorBuilder &b = call.b;
  RankedTensorType type = typeOf(call.x[0]);
  // Maximum number of pairs. Each pair is a byte of a temporary.
  constexpr int64_t most = int64_t(1) << 28;
  int64_t length = type.getDimSize(dim), pairs = 0;
  if (!type.hasStaticShape() ||
      llvm::MulOverflow(type.getNumElements(), length, pairs) || pairs > most)
    return call.refuse() << "has a comparator that does not compare operands, "
                            "one after another, and more than "
                         << most << " pairs of elements";
  int64_t last = rankOf(call.x[0]);
  SmallVector<Dim> dims(dimsOf(call.x[0]));
  dims.push_back(length);
  SmallVector<int64_t> swap(llvm::to_vector(llvm::seq<int64_t>(0, last + 1)));
  std::swap(swap[dim], swap[last]);
  Values elements;
  for (Value x : call.x) {
    SmallVector<Dim> column(dimsOf(x));
    column.push_back(1);
    Value second = b.reshape(x, column);
    elements.push_back(b.broadcast(b.transpose(second, swap), dims));
    elements.push_back(b.broadcast(second, dims));
  }
  Results less = call.converter.lift(call.op->getRegion(0), elements);
  if (failed(less))
    return failure();
  if (less->size() != 1 || dtypeOf(less->front()) != DType::I1)
    return call.refuse() << "has a comparator that does not give an i1";
  Value isLess = less->front();
  Value isFirst =
      b.less(b.iota(DType::I64, dims, last), b.iota(DType::I64, dims, dim));
  Value isGreater = b.transpose(isLess, swap);
  Value isBefore =
      b.logicalOr(isLess, b.logicalAnd(isFirst, b.logicalNot(isGreater)));
  Value position = b.sum(b.convert(isBefore, DType::I64), last);
  return argsort(b, position, dim, /*descending=*/false);
}

static Results sort(Call &call) {
  TensorBuilder &b = call.b;
  auto dim = call.attribute("dimension") ? call.number("dimension")
                                         : std::optional<int64_t>(-1);
  if (!dim)
    return failure();
  int64_t rank = rankOf(call.x[0]);
  if (*dim < 0)
    *dim += rank;
  Block &block = call.op->getRegion(0).front();
  if (*dim < 0 || *dim >= rank || block.getNumArguments() != 2 * call.x.size())
    return call.refuse() << "has wrong dimensions or arguments";
  for (Value x : call.x)
    if (dimsOf(x) != dimsOf(call.x[0]))
      return call.refuse() << "needs tensors of one shape";
  auto keys = Comparator(block).keys();
  FailureOr<Value> order =
      keys ? orderByKeys(call, *keys, *dim) : orderByPairs(call, *dim);
  if (failed(order))
    return failure();
  Values results;
  for (auto [i, x] : llvm::enumerate(call.x)) {
    const Key *only = keys && keys->size() == 1 ? keys->begin() : nullptr;
    bool isPlain = only && i == only->operand && keyValue(b, x, *only) == x;
    results.push_back(isPlain ? sorted(b, x, *dim, only->descending)
                      : countsAlong(x, *dim) ? b.convert(*order, dtypeOf(x))
                                             : b.takeAlong(x, *order, *dim));
  }
  return results;
}

static Results topK(Call &call) {
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  auto k = call.number("k");
  int64_t dim = rankOf(x) - 1;
  if (!k)
    return failure();
  if (dim < 0 || *k < 0 || shape::isLess(dimsOf(x)[dim], *k) == true ||
      call.op->getNumResults() != 2 || tx::isStorage(dtypeOf(x)))
    return call.refuse() << "has no " << *k << " largest elements";
  auto index = call.declaredDType(1);
  if (!index)
    return failure();
  bool isFloat = tx::isFloat(dtypeOf(x));
  Value keys = isFloat ? totalOrderKey(b, x) : x;
  Value values =
      b.sliceAlong(sorted(b, keys, dim, /*descending=*/true), dim, 0, *k);
  Value order = argsort(b, keys, dim, /*descending=*/true);
  return Values{isFloat ? fromTotalOrderKey(b, values, dtypeOf(x)) : values,
                b.convert(b.sliceAlong(order, dim, 0, *k), *index)};
}

/// Converts ApproxTopK: returns the k largest or smallest elements of one
/// operand along a dim, and the other operands' elements at the same indices.
/// The result is exact, although the op permits an approximation.
Results approximateTopK(Call &call) {
  TensorBuilder &b = call.b;
  auto config = dyn_cast_if_present<DictionaryAttr>(
      call.attribute("mhlo.backend_config"));
  auto dim = config ? config.getAs<IntegerAttr>("reduction_dim") : nullptr;
  Region *comparator = call.converter.calledComputation(call.op);
  size_t count = call.x.size() / 2;
  if (!dim || !comparator || count < 1 || call.op->getNumResults() != count)
    return call.refuse() << "of 'ApproxTopK' has other operands or attributes";
  auto keys = Comparator(comparator->front()).keys();
  int64_t axis = dim.getInt();
  if (!keys || keys->size() != 1 || axis < 0 || axis >= rankOf(call.x[0]))
    return call.refuse() << "of 'ApproxTopK' has a comparator that does not "
                            "compare an operand";
  int64_t k = call.declared().getShape()[axis];
  if (shape::isLess(dimsOf(call.x[0])[axis], k) == true)
    return call.refuse() << "has no " << k << " largest elements";
  const Key &key = keys->front();
  Value order =
      argsort(b, keyValue(b, call.x[key.operand], key), axis, key.descending);
  order = b.sliceAlong(order, axis, 0, k);
  Values results;
  for (Value x : call.x.take_front(count))
    results.push_back(b.takeAlong(x, order, axis));
  return results;
}

void addSortOps(Table &table) {
  table["stablehlo.sort"] = Row{sort, 1, anyCount, 1};
  table["chlo.top_k"] = Row{topK, 1, 1};
}

} // namespace tensorc::stablehlo
