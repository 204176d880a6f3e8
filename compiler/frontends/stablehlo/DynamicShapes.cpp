//===- DynamicShapes.cpp - Sizes that are known only at run time ----------===//
//
// A dynamic dim gets a name. Sizes that the text computes as values become
// expressions over these names, and types are made of the expressions.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"
#include "ir/builder/NamedSlices.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// If the value is the size of a dim of an argument, returns the argument and
/// the dim; else nullopt.
static std::optional<std::pair<unsigned, int64_t>> sizeTaken(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && op->getName().getStringRef() == "stablehlo.convert" &&
         op->getNumOperands() == 1)
    op = op->getOperand(0).getDefiningOp();
  if (!op || op->getNumOperands() != 1 ||
      op->getName().getStringRef() != "stablehlo.get_dimension_size")
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(op->getOperand(0));
  std::optional<int64_t> dim = numberIn(attributeOf(op, "dimension"));
  if (!argument || !dim)
    return std::nullopt;
  return std::pair(argument.getArgNumber(), *dim);
}

/// Returns the comparison for equality that a call of shape_assertion checks,
/// or null.
static Operation *assertedEquality(Operation &op) {
  auto target =
      dyn_cast_if_present<StringAttr>(attributeOf(&op, "call_target_name"));
  if (!target || target.getValue() != "shape_assertion" ||
      op.getNumOperands() < 1)
    return nullptr;
  Operation *compare = op.getOperand(0).getDefiningOp();
  if (!compare || compare->getNumOperands() != 2 ||
      compare->getName().getStringRef() != "stablehlo.compare" ||
      wordIn(attributeOf(compare, "comparison_direction")) != "EQ")
    return nullptr;
  return compare;
}

DimNames::Place DimNames::first(Place place) const {
  for (auto it = same.find(place); it != same.end(); it = same.find(place))
    place = it->second;
  return place;
}

DimNames::DimNames(ModuleOp module, func::FuncOp function) {
  if (function.getBody().empty())
    return;
  for (Operation &op : function.getBody().front()) {
    if (Operation *equality = assertedEquality(op)) {
      auto x = sizeTaken(equality->getOperand(0));
      auto y = sizeTaken(equality->getOperand(1));
      if (x && y && first(*x) != first(*y))
        same[std::max(first(*x), first(*y))] = std::min(first(*x), first(*y));
    }
    // JAX gives a size a name in the called function.
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? module.lookupSymbol<func::FuncOp>(call.getCallee())
                       : func::FuncOp();
    if (!callee || callee.getNumArguments() != call.getNumOperands())
      continue;
    for (auto [i, operand] : llvm::enumerate(call.getOperands()))
      if (auto name =
              callee.getArgAttrOfType<StringAttr>(i, "jax.global_constant"))
        if (auto place = sizeTaken(operand))
          names[*place] = name.str();
  }
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string DimNames::operator()(unsigned argument, int64_t dim) const {
  Place place = first({argument, dim});
  auto named = names.find(place);
  if (named != names.end() && isIdentifier(named->second))
    return named->second;
  return "d" + std::to_string(place.first) + "_" + std::to_string(place.second);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns the sizes in a shape operand; nullopt after a diagnostic.
static std::optional<SmallVector<Dim>> sizesIn(Call &call, unsigned operand) {
  const auto *sizes = call.converter.sizesIn(call.x[operand]);
  if (!sizes || llvm::any_of(*sizes, [](Dim dim) { return dim.isNone(); })) {
    call.refuse() << "has sizes that depend on more than the sizes of "
                     "arguments";
    return std::nullopt;
  }
  return SmallVector<Dim>(*sizes);
}

static std::optional<NumberList> numbersIn(Call &call, unsigned operand) {
  auto sizes = sizesIn(call, operand);
  if (!sizes)
    return std::nullopt;
  NumberList numbers;
  for (Dim dim : *sizes) {
    if (!dim.isNumber()) {
      call.refuse() << "needs numbers where there are sizes of arguments";
      return std::nullopt;
    }
    numbers.push_back(*dim.number());
  }
  return numbers;
}

static RankedTensorType typeWith(Dims dims, Type like) {
  return tx::tensorType(dims, cast<RankedTensorType>(like).getElementType());
}

static Results dimensionSize(Call &call) {
  auto dim = call.number("dimension");
  auto dtype = call.declaredDType();
  if (!dim || !dtype)
    return failure();
  if (*dim < 0 || *dim >= rankOf(call.x[0]))
    return call.refuse() << "has no dimension " << *dim;
  return Values{call.b.size(dimsOf(call.x[0])[*dim], *dtype)};
}

static Results dynamicBroadcast(Call &call) {
  auto dims = call.numbers("broadcast_dimensions", rankOf(call.x[0]));
  auto sizes = sizesIn(call, 1);
  if (!dims || !sizes)
    return failure();
  if (!llvm::is_sorted(*dims))
    return call.refuse() << "needs dimensions in order";
  Type type = typeWith(*sizes, call.x[0].getType());
  if (type == call.x[0].getType())
    return Values{call.x[0]};
  auto rule = shape::inferBroadcast(dimsOf(call.x[0]), *dims, *sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return Values{
      tx::BroadcastOp::create(call.b.b, call.b.loc, type, call.x[0], *dims)};
}

static Results dynamicReshape(Call &call) {
  auto sizes = sizesIn(call, 1);
  if (!sizes)
    return failure();
  auto rule = shape::inferReshape(dimsOf(call.x[0]), *sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return Values{call.b.reshape(call.x[0], *sizes)};
}

static Results dynamicIota(Call &call) {
  auto dim = call.number("iota_dimension");
  auto sizes = sizesIn(call, 0);
  auto dtype = call.declaredDType();
  if (!dim || !sizes || !dtype)
    return failure();
  return Values{call.b.iota(*dtype, *sizes, *dim)};
}

/// Pads one edge of the dim with `amount` elements that equal `value`.
static Value padEdge(TensorBuilder &b, Value x, Value value, int64_t dim,
                     Dim amount, bool isLow) {
  if (amount == 0)
    return x;
  SmallVector<Dim> dims(dimsOf(x));
  dims[dim] = amount;
  Value edge = b.broadcast(value, dims);
  return b.concatenate(isLow ? ArrayRef<Value>{edge, x} : ArrayRef{x, edge},
                       dim);
}

static Results dynamicPad(Call &call) {
  auto low = sizesIn(call, 2), high = sizesIn(call, 3);
  auto interior = numbersIn(call, 4);
  if (!low || !high || !interior)
    return failure();
  Value x = call.x[0];
  size_t rank = rankOf(x);
  if (low->size() != rank || high->size() != rank || interior->size() != rank ||
      rankOf(call.x[1]) != 0)
    return call.refuse() << "needs " << rank << " amounts and one element";
  // Pads constant amounts at once, then named amounts one edge at a time.
  NumberList lows, highs;
  for (auto [from, to] : {std::pair(&*low, &lows), {&*high, &highs}})
    for (Dim &amount : *from) {
      to->push_back(amount.number().value_or(0));
      if (amount.isNumber())
        amount = 0;
      else if (shape::isLess(amount, 0) != false)
        return call.refuse() << "has an amount that may be negative: "
                             << shape::toString(amount);
    }
  auto rule = shape::inferPad(dimsOf(x), {lows, highs, *interior});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  x = tx::PadOp::create(call.b.b, call.b.loc, typeWith(rule.dims, x.getType()),
                        x, call.x[1], lows, highs, *interior);
  for (size_t d = 0; d < rank; ++d) {
    x = padEdge(call.b, x, call.x[1], d, (*low)[d], /*isLow=*/true);
    x = padEdge(call.b, x, call.x[1], d, (*high)[d], /*isLow=*/false);
  }
  return Values{x};
}

/// Slices between starts and limits that are computed from sizes.
static Results dynamicLimits(Call &call) {
  auto starts = sizesIn(call, 1), limits = sizesIn(call, 2);
  auto strides = numbersIn(call, 3);
  if (!starts || !strides || !limits)
    return failure();
  size_t rank = rankOf(call.x[0]);
  if (starts->size() != rank || strides->size() != rank ||
      limits->size() != rank)
    return call.refuse() << "needs " << rank << " starts, limits and strides";
  Value x = call.x[0];
  for (size_t i = 0; i < rank; ++i) {
    if ((*strides)[i] < 1 || shape::isLess((*starts)[i], 0) == true)
      return call.refuse() << "has strides below 1 or starts below 0";
    Dim count = shape::ceilDiv((*limits)[i] - (*starts)[i], (*strides)[i]);
    x = builder::sliceFrom(call.b, x, i, (*starts)[i], count, (*strides)[i]);
  }
  return Values{x};
}

/// Clamps a start so that the slice is within the operand, as XLA does.
static Dim clampStart(Dim start, Dim size, Dim extent) {
  Dim last = extent - size;
  if (shape::isLess(last, start) != false)
    start = shape::min(start, last);
  return shape::isLess(start, 0) == false ? start : shape::max(start, 0);
}

/// Converts a gather of a single slice whose start depends on sizes. JAX makes
/// it for slices that begin or end at a size.
static Results oneSlice(Call &call, ArrayRef<Dim> starts, ArrayRef<Dim> sizes,
                        ArrayRef<int64_t> mapped, ArrayRef<int64_t> dropped) {
  Value x = call.x[0];
  int64_t rank = rankOf(x);
  SmallVector<Dim> begins(rank, Dim(0)), kept;
  for (auto [dim, start] : llvm::zip(mapped, starts)) {
    if (dim < 0 || dim >= rank)
      return call.refuse() << "has no dimension " << dim;
    begins[dim] = clampStart(start, sizes[dim], dimsOf(x)[dim]);
  }
  for (int64_t d = 0; d < rank; ++d) {
    x = builder::sliceFrom(call.b, x, d, begins[d], sizes[d]);
    if (!llvm::is_contained(dropped, d))
      kept.push_back(sizes[d]);
    else if (sizes[d] != 1)
      return call.refuse() << "drops a dimension of size "
                           << shape::toString(sizes[d]);
  }
  return Values{call.b.reshape(x, kept)};
}

/// Converts a gather of slices with named sizes.
static Results dynamicGather(Call &call) {
  auto sizes = sizesIn(call, 2);
  Attribute numbers = call.attribute("dimension_numbers");
  auto mapped = fieldIn(numbers, "start_index_map");
  auto dropped = fieldIn(numbers, "collapsed_slice_dims");
  auto batching = fieldIn(numbers, "operand_batching_dims");
  if (!sizes)
    return failure();
  Dims dims = dimsOf(call.x[0]);
  if (sizes->size() != dims.size() || !mapped || !dropped || !batching)
    return call.refuse() << "needs " << dims.size() << " sizes of slices";
  const auto *starts = call.converter.sizesIn(call.x[1]);
  bool isKnown =
      starts && llvm::none_of(*starts, [](Dim dim) { return dim.isNone(); });
  if (isKnown && rankOf(call.x[1]) == 1 && batching->empty() &&
      mapped->size() == starts->size())
    return oneSlice(call, *starts, *sizes, *mapped, *dropped);
  NumberList fixed;
  for (auto [size, whole] : llvm::zip(*sizes, dims)) {
    if (!size.isNumber() && size != whole)
      return call.refuse() << "takes slices of size " << shape::toString(size)
                           << " at places that only a run knows";
    fixed.push_back(size.number().value_or(-1));
  }
  return gatherSlices(call, fixed);
}

void addDynamicShapes(Table &table) {
  table["stablehlo.get_dimension_size"] = Row{dimensionSize, 1, 1};
  table["stablehlo.dynamic_broadcast_in_dim"] = Row{dynamicBroadcast, 2, 2};
  table["stablehlo.dynamic_reshape"] = Row{dynamicReshape, 2, 2};
  table["stablehlo.dynamic_iota"] = Row{dynamicIota, 1, 1};
  table["stablehlo.dynamic_pad"] = Row{dynamicPad, 5, 5};
  table["stablehlo.real_dynamic_slice"] = Row{dynamicLimits, 4, 4};
  table["stablehlo.dynamic_gather"] = Row{dynamicGather, 3, 3};
}

} // namespace tensorc::stablehlo
