//===- Reductions.cpp - Reductions of StableHLO ---------------------------===//
//
// A region with a single op becomes a reduction of tx. Any other region is
// applied to all pairs of neighbours at once, repeatedly, until one element is
// left. The order of elements is kept, so the region need not commute.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Returns the common value of all elements if it is known, else null.
static Attribute splatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<tx::BroadcastOp>())
    value = broadcast.getX();
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  return dense && dense.isSplat() ? dense.getSplatValue<Attribute>()
                                  : Attribute();
}

static APInt extremeInteger(DType dtype, bool lowest) {
  unsigned bits = dtype == DType::I1 ? 1 : tx::bitWidth(dtype);
  if (tx::isUnsigned(dtype))
    return lowest ? APInt::getMinValue(bits) : APInt::getMaxValue(bits);
  return lowest ? APInt::getSignedMinValue(bits)
                : APInt::getSignedMaxValue(bits);
}

bool isSpecial(Value value, Special special) {
  Attribute splat = splatOf(value);
  if (auto real = dyn_cast_if_present<FloatAttr>(splat)) {
    APFloat number = real.getValue();
    switch (special) {
    case Special::None:
      return false;
    // -0 is treated like 0, as it only changes sums of zeros.
    case Special::Zero:
      return number.isZero();
    case Special::One:
      return number.isExactlyValue(1.0);
    case Special::Lowest:
      return number.isInfinity() && number.isNegative();
    case Special::Highest:
      return number.isInfinity() && !number.isNegative();
    }
  }
  auto integer = dyn_cast_if_present<IntegerAttr>(splat);
  if (!integer)
    return false;
  switch (special) {
  case Special::None:
    return false;
  case Special::Zero:
    return integer.getValue().isZero();
  case Special::One:
    return integer.getValue().isOne();
  case Special::Lowest:
  case Special::Highest:
    return integer.getValue() ==
           extremeInteger(dtypeOf(value), special == Special::Lowest);
  }
  return false;
}

Value extremeOf(TensorBuilder &b, DType dtype, bool lowest, Dims dims) {
  if (tx::isFloat(dtype)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.full(lowest ? -infinity : infinity, dtype, dims);
  }
  APInt number = extremeInteger(dtype, lowest);
  return b.full(static_cast<int64_t>(tx::isUnsigned(dtype)
                                         ? number.getZExtValue()
                                         : number.getSExtValue()),
                dtype, dims);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

Combiner combinerOf(Region &region) {
  Block &block = region.front();
  if (block.getNumArguments() != 2 || block.empty() ||
      block.back().getNumOperands() != 1)
    return Combiner::Other;
  Value first = block.getArgument(0), second = block.getArgument(1);
  Value returned = block.back().getOperand(0);
  if (returned == second)
    return Combiner::Second;
  Operation *op = returned.getDefiningOp();
  if (op && op->getName().getStringRef() == "sdy.sharding_constraint" &&
      op->getNumOperands() == 1)
    // A constraint on a scalar has no effect.
    op = op->getOperand(0).getDefiningOp();
  if (!op || op->getBlock() != &block || op->getNumOperands() != 2)
    return Combiner::Other;
  bool inOrder = op->getOperand(0) == first && op->getOperand(1) == second;
  bool swapped = op->getOperand(0) == second && op->getOperand(1) == first;
  if (!inOrder && !swapped)
    return Combiner::Other;
  StringRef name = op->getName().getStringRef();
  name.consume_front("stablehlo.");
  if (name == "subtract" && inOrder)
    return Combiner::Sub;
  auto type = dyn_cast<RankedTensorType>(first.getType());
  bool isBool = type && type.getElementType().isInteger(1);
  return llvm::StringSwitch<Combiner>(name)
      .Case("add", isBool ? Combiner::Max : Combiner::Add)
      .Case("multiply", isBool ? Combiner::Min : Combiner::Mul)
      .Case("maximum", Combiner::Max)
      .Case("minimum", Combiner::Min)
      .Case("and", isBool ? Combiner::Min : Combiner::And)
      .Case("or", isBool ? Combiner::Max : Combiner::Or)
      .Default(Combiner::Other);
}

static Value combine(TensorBuilder &b, Combiner combiner, Value x, Value y) {
  switch (combiner) {
  case Combiner::Add:
    return b.add(x, y);
  case Combiner::Mul:
    return b.mul(x, y);
  case Combiner::Min:
    return b.min(x, y);
  default:
    return b.max(x, y);
  }
}

Special identityOf(Combiner combiner) {
  switch (combiner) {
  case Combiner::Add:
    return Special::Zero;
  case Combiner::Mul:
    return Special::One;
  case Combiner::Min:
    return Special::Highest;
  case Combiner::Max:
    return Special::Lowest;
  default:
    return Special::None;
  }
}

static bool isReduction(Combiner combiner) {
  return identityOf(combiner) != Special::None;
}

static Value reduceBy(TensorBuilder &b, Combiner combiner, Value x,
                      ArrayRef<int64_t> dims) {
  switch (combiner) {
  case Combiner::Add:
    return b.sum(x, dims);
  case Combiner::Mul:
    return b.reduce<tx::ProdOp>(x, dims);
  case Combiner::Min:
    return b.reduce<tx::ReduceMinOp>(x, dims);
  default:
    return b.largest(x, dims);
  }
}

/// Combines pairs of elements along the first dim until a single element is
/// left.
static Results combineAll(Call &call, Region &region, Values x) {
  TensorBuilder &b = call.b;
  while (typeOf(x[0]).getDimSize(0) > 1) {
    int64_t count = typeOf(x[0]).getDimSize(0), half = count / 2;
    Values elements;
    for (int64_t offset : {0, 1})
      for (Value each : x)
        elements.push_back(b.sliceAlong(each, 0, offset, half, 2));
    Results results = call.converter.lift(region, elements);
    if (failed(results) || results->size() != x.size())
      return failure();
    for (auto [each, result] : llvm::zip(x, *results))
      each =
          count % 2
              ? b.concatenate({result, b.sliceAlong(each, 0, count - 1, 1)}, 0)
              : result;
  }
  return x;
}

Results reduceLast(Call &call, Region &region, Values x, int64_t count,
                   ArrayRef<Value> initial) {
  TensorBuilder &b = call.b;
  Combiner combiner = x.size() == 1 ? combinerOf(region) : Combiner::Other;
  int64_t rank = rankOf(x[0]);
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
  if (isReduction(combiner)) {
    Value result = reduceBy(b, combiner, x[0], dims);
    if (!isSpecial(initial[0], identityOf(combiner)))
      result = combine(b, combiner, result, initial[0]);
    return Values{result};
  }
  Dims outer = dimsOf(x[0]).drop_back(count);
  SmallVector<Dim> kept(outer), flat(outer);
  Dim elements = shape::product(dimsOf(x[0]).take_back(count));
  flat.insert(flat.begin(), elements);
  SmallVector<int64_t> order = dims;
  llvm::append_range(order, llvm::seq<int64_t>(0, rank - count));
  if (!elements.isNumber())
    return call.refuse() << "by this region is available where the number of "
                            "elements is known before a run";
  Values last;
  for (auto [each, init] : llvm::zip(x, initial)) {
    if (elements == Dim(0))
      last.push_back(b.broadcast(init, kept));
    each = b.reshape(b.transpose(each, order), flat);
  }
  if (elements == Dim(0))
    return last;
  Results all = combineAll(call, region, x);
  if (failed(all))
    return failure();
  Values pairs;
  for (Value init : initial)
    pairs.push_back(b.broadcast(init, kept));
  for (Value each : *all)
    pairs.push_back(b.reshape(each, kept));
  return call.converter.lift(region, pairs);
}

//===----------------------------------------------------------------------===//
// argmax
//===----------------------------------------------------------------------===//

bool isCompare(Value value, StringRef direction, Value x, Value y) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == "stablehlo.compare" &&
         op->getOperand(0) == x && op->getOperand(1) == y &&
         wordIn(attributeOf(op, "comparison_direction")) == direction;
}

Operation *opNamed(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == name ? op : nullptr;
}

/// True if `value` is the comparison of x and y in `direction` (GT or LT), alone
/// or as `compare or x is NaN`, which JAX's argmax and argmin emit.
static bool comesFirst(Value value, StringRef direction, Value x, Value y) {
  if (isCompare(value, direction, x, y))
    return true;
  Operation *either = opNamed(value, "stablehlo.or");
  return either && isCompare(either->getOperand(0), direction, x, y) &&
         isCompare(either->getOperand(1), "NE", x, x);
}

/// Returns GT or LT for a region that selects the larger or smaller value with
/// its index, and the lower index if values are equal; else an empty string.
static StringRef choiceOf(Region &region) {
  Block &block = region.front();
  Operation *end = &block.back();
  if (block.getNumArguments() != 4 || end->getNumOperands() != 2)
    return {};
  Value x = block.getArgument(0), i = block.getArgument(1),
        y = block.getArgument(2), j = block.getArgument(3);
  Operation *value = opNamed(end->getOperand(0), "stablehlo.select");
  Operation *index = opNamed(end->getOperand(1), "stablehlo.select");
  if (!value || !index || value->getOperand(1) != x ||
      value->getOperand(2) != y || index->getOperand(1) != i ||
      index->getOperand(2) != j)
    return {};
  for (StringRef direction : {"GT", "LT"}) {
    Value first = value->getOperand(0);
    Operation *either = opNamed(index->getOperand(0), "stablehlo.or");
    if (!comesFirst(first, direction, x, y) || !either ||
        either->getOperand(0) != first)
      continue;
    Operation *tie = opNamed(either->getOperand(1), "stablehlo.and");
    if (tie && isCompare(tie->getOperand(0), "EQ", x, y) &&
        isCompare(tie->getOperand(1), "LT", i, j))
      return direction;
  }
  return {};
}

Value choose(TensorBuilder &b, bool largest, Value x, int64_t dim,
             DType index) {
  Dims dims = dimsOf(x);
  SmallVector<Dim> kept(dims);
  kept.erase(kept.begin() + dim);
  Type type = tx::tensorType(kept, tx::elementType(b.b.getContext(), index));
  if (largest)
    return tx::ArgmaxOp::create(b.b, b.loc, type, x, dim);
  return tx::ArgminOp::create(b.b, b.loc, type, x, dim);
}

/// Converts an argmax or argmin. Returns no values if the reduction is another
/// one.
static Results asArgmax(Call &call, ArrayRef<int64_t> dims) {
  if (call.x.size() != 4 || dims.size() != 1)
    return Values();
  StringRef direction = choiceOf(call.op->getRegion(0));
  auto index = call.x[1].getDefiningOp<tx::IotaOp>();
  bool largest = direction == "GT";
  if (direction.empty() || !index ||
      static_cast<int64_t>(index.getDim()) != dims[0] ||
      dimsOf(call.x[0])[dims[0]] == 0 ||
      !isSpecial(call.x[2], largest ? Special::Lowest : Special::Highest) ||
      !isSpecial(call.x[3], Special::Zero))
    return Values();
  DType dtype = dtypeOf(call.x[1]);
  bool is32 = dtype == DType::I32;
  TensorBuilder &b = call.b;
  Value chosen =
      choose(b, largest, call.x[0], dims[0], is32 ? DType::I32 : DType::I64);
  Value value = largest ? b.largest(call.x[0], dims)
                        : b.reduce<tx::ReduceMinOp>(call.x[0], dims);
  return Values{value, b.convert(chosen, dtype)};
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

LogicalResult checkInputs(Call &call, ArrayRef<Value> inputs) {
  size_t half = inputs.size() / 2;
  if (inputs.size() % 2)
    return call.refuse() << "needs an initial value per operand";
  for (auto [x, initial] :
       llvm::zip(inputs.take_front(half), inputs.take_back(half)))
    if (dimsOf(x) != dimsOf(call.x[0]) || rankOf(initial) != 0 ||
        dtypeOf(initial) != dtypeOf(x))
      return call.refuse() << "needs tensors of one shape, and an element for "
                              "each";
  return success();
}

static Results reduce(Call &call) {
  auto dims = call.numbers("dimensions");
  if (!dims || failed(checkInputs(call, call.x)))
    return failure();
  int64_t rank = rankOf(call.x[0]);
  llvm::sort(*dims);
  for (auto [i, dim] : llvm::enumerate(*dims))
    if (dim < 0 || dim >= rank || (i > 0 && (*dims)[i - 1] == dim))
      return call.refuse() << "has no such dimensions";
  Results chosen = asArgmax(call, *dims);
  if (succeeded(chosen) && !chosen->empty())
    return chosen;
  size_t half = call.x.size() / 2;
  SmallVector<int64_t> order = builder::allDimsBut(rank, *dims);
  llvm::append_range(order, *dims);
  Combiner combiner =
      half == 1 ? combinerOf(call.op->getRegion(0)) : Combiner::Other;
  if (isReduction(combiner)) { // in place
    Value result = reduceBy(call.b, combiner, call.x[0], *dims);
    if (!isSpecial(call.x[1], identityOf(combiner)))
      result = combine(call.b, combiner, result, call.x[1]);
    return Values{result};
  }
  Values x;
  for (Value each : call.x.take_front(half))
    x.push_back(call.b.transpose(each, order));
  return reduceLast(call, call.op->getRegion(0), x, dims->size(),
                    call.x.take_back(half));
}

/// Converts a map, whose region is a function of elements.
static Results map(Call &call) {
  Dims dims = dimsOf(call.x[0]);
  for (Value each : call.x)
    if (dimsOf(each) != dims)
      return call.refuse() << "needs tensors of one shape";
  return call.converter.lift(call.op->getRegion(0), call.x);
}

void addReductions(Table &table) {
  table["stablehlo.reduce"] = Row{reduce, 2, anyCount, 1};
  table["stablehlo.map"] = Row{map, 1, anyCount, 1};
}

} // namespace tensorc::stablehlo
