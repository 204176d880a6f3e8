//===- Fit.cpp - Making one value fit another -----------------------------===//

#include "ir/tx/Complex.h"
#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

Entry Generator::splat(double value, Type likeTensor) {
  auto type = cast<RankedTensorType>(likeTensor);
  Type element = type.getElementType();
  auto scalar = RankedTensorType::get({}, element);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type plane = tx::withElementType(type, complex.getElementType());
    Value re = splat(value, plane).value, im = splat(0, plane).value;
    return {tx::ComplexOp::create(builder, loc, type, re, im), std::fabs(value),
            0};
  }
  Attribute attribute = isa<FloatType>(element)
                            ? Attribute(builder.getFloatAttr(element, value))
                            : builder.getIntegerAttr(element, value);
  Value constant = tx::ConstantOp::create(
      builder, loc, scalar, DenseElementsAttr::get(scalar, attribute));
  if (type.getRank() > 0)
    constant = tx::BroadcastOp::create(builder, loc, type, constant,
                                       ArrayRef<int64_t>());
  return {constant, std::fabs(value), 0};
}

Generator::Maybe Generator::fitDType(const Entry &e, Type element) {
  Type from = elementOf(e);
  if (from == element)
    return e;
  bool toFloat = isa<FloatType>(element), fromFloat = isa<FloatType>(from);
  // Truncation turns a small error into a whole one.
  if (!toFloat && !isExact(e))
    return std::nullopt;
  Type type = tx::withElementType(e.value.getType(), element);
  Value value = tx::ConvertOp::create(builder, loc, type, e.value);
  if (element.isInteger(1))
    return Entry{value, 1, 0};
  if (!toFloat && fromFloat)
    return finish(value, std::ldexp(1.0, element.getIntOrFloatBitWidth() - 1),
                  0, false);
  // Rounds once, so exact stays exact; an error may cross a rounding boundary.
  return finish(value, e.limit, e.error, e.error > 0);
}

/// Slices away what is too much; along other dims e may be too short.
Generator::Maybe Generator::cutTo(const Entry &e, ArrayRef<Dim> dims) {
  Dims cut = dimsOf(e);
  SmallVector<int64_t> offsets(dims.size(), 0), strides(dims.size(), 1);
  for (auto [own, wanted, at] : llvm::zip(cut, dims, offsets)) {
    int64_t surplus = own == wanted ? 0 : sizeOf(own) - sizeOf(wanted);
    if (surplus <= 0)
      continue;
    at = chance(70) ? 0 : pick(surplus + 1);
    own = wanted;
  }
  if (cut == dimsOf(e))
    return e;
  Type type = tx::tensorType(cut, elementOf(e));
  return finish(tx::SliceOp::create(builder, loc, type, e.value, ValueRange(),
                                    offsets, strides),
                e.limit, e.error, false);
}

/// Pads, or repeats the beginning, along the one dim where e is too short.
Generator::Maybe Generator::growTo(const Entry &e, ArrayRef<Dim> dims) {
  Dims own = dimsOf(e);
  if (ArrayRef<Dim>(own) == dims)
    return e;
  size_t dim = 0;
  while (own[dim] == dims[dim])
    ++dim;
  int64_t missing = sizeOf(dims[dim]) - sizeOf(own[dim]);
  own[dim] = Dim(missing);
  Maybe rest = missing <= sizeOf(dimsOf(e)[dim]) ? cutTo(e, own) : std::nullopt;
  own[dim] = dims[dim];
  Type type = tx::tensorType(own, elementOf(e));
  Value value;
  if (rest && chance(60)) {
    value = tx::ConcatenateOp::create(builder, loc, type,
                                      ValueRange{e.value, rest->value}, dim);
  } else {
    SmallVector<int64_t> low(dims.size(), 0), high = low, interior = low;
    low[dim] = chance(60) ? 0 : pick(missing + 1);
    high[dim] = missing - low[dim];
    auto scalar = RankedTensorType::get({}, elementOf(e));
    value = tx::PadOp::create(builder, loc, type, e.value,
                              splat(0, scalar).value, low, high, interior);
  }
  return growTo({value, e.limit, e.error}, dims);
}

/// Where ranks agree and dims that differ are static: slices and pads. So what
/// was sliced, padded or concatenated meets other values again.
Generator::Maybe Generator::fitDims(const Entry &e, ArrayRef<Dim> dims) {
  Dims own = dimsOf(e);
  auto isStatic = [](Dim dim) { return dim.isNumber(); };
  bool isAlike = own.size() == dims.size();
  for (size_t d = 0; isAlike && d < dims.size(); ++d)
    isAlike = own[d] == dims[d] || (isStatic(own[d]) && isStatic(dims[d]));
  if (!isAlike || chance(30))
    return broadcastTo(e, dims);
  Maybe cut = cutTo(e, dims);
  return cut ? growTo(*cut, dims) : std::nullopt;
}

/// Broadcasts where e's dims occur in order among the wanted ones, else first
/// reduces everything away.
Generator::Maybe Generator::broadcastTo(const Entry &e, ArrayRef<Dim> dims) {
  Dims own = dimsOf(e);
  if (ArrayRef<Dim>(own) == dims)
    return e;
  SmallVector<int64_t> map;
  for (size_t d = 0; d < dims.size() && map.size() < own.size(); ++d)
    if (own[map.size()] == dims[d])
      map.push_back(d);
  Value value = e.value;
  double limit = e.limit;
  if (map.size() != own.size()) {
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, own.size()));
    auto scalar = RankedTensorType::get({}, elementOf(e));
    value = tx::ReduceMaxOp::create(builder, loc, scalar, value, all);
    map.clear();
    // Over no elements it is -inf.
    if (llvm::any_of(own, [&](Dim d) { return leastOf(d) == 0; }))
      limit = infinity;
  }
  if (!dims.empty())
    value = tx::BroadcastOp::create(
        builder, loc, tx::tensorType(dims, elementOf(e)), value, map);
  return finish(value, limit, e.error, false);
}

Generator::Maybe Generator::asIndices(const Entry &e) {
  if (!isExact(e))
    return std::nullopt;
  if (!isFloat(e) && !isBool(e))
    return e;
  return fitDType(e, chance(50) ? builder.getI32Type() : builder.getI64Type());
}

Generator::Maybe Generator::scalarIndex() {
  Maybe indices = asIndices(any());
  return indices ? fitDims(*indices, {}) : std::nullopt;
}

Generator::Maybe Generator::fit(const Entry &e, const Entry &like) {
  Maybe typed = fitDType(e, elementOf(like));
  return typed ? fitDims(*typed, dimsOf(like)) : std::nullopt;
}

} // namespace tensorc::fuzz
