//===- MakeShape.cpp - Random shape ops -----------------------------------===//

#include "tests/fuzz/Generator.h"

#include <numeric>

using namespace mlir;

namespace tensorc::fuzz {

Generator::Maybe Generator::makeConstant() {
  Type element = randomDType();
  double value = element.isInteger(1)          ? pick(2)
                 : element.isUnsignedInteger() ? pick(9)
                                               : pick(9) - 4.0;
  return splat(value, tx::tensorType(randomDims(3), element));
}

Generator::Maybe Generator::makeIota() {
  Dims dims = randomDims(3);
  Type element = randomDType();
  if (dims.empty() || element.isInteger(1))
    return std::nullopt;
  int64_t dim = pick(dims.size());
  Value value =
      tx::IotaOp::create(builder, loc, tx::tensorType(dims, element), dim);
  return finish(value, sizeOf(dims[dim]), 0, false);
}

/// Puts new dims between those of a value.
Generator::Maybe Generator::makeBroadcast() {
  Entry x = any();
  Dims dims;
  SmallVector<int64_t> map;
  auto add = [&] { dims.push_back(programDims[pick(programDims.size())]); };
  for (Dim dim : dimsOf(x)) {
    if (chance(40))
      add();
    map.push_back(dims.size());
    // A dim of size 1 may be repeated.
    bool grows = dim == Dim(1) && chance(50);
    grows ? add() : dims.push_back(dim);
  }
  if (chance(40))
    add();
  if (dims.size() > 4 || elementsOf(dims) > 20000)
    return std::nullopt;
  Type type = tx::tensorType(dims, elementOf(x));
  return finish(tx::BroadcastOp::create(builder, loc, type, x.value, map),
                x.limit, x.error, false);
}

/// Merges two neighbours, or puts in or takes away a dim of size 1.
Generator::Maybe Generator::makeReshape() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (dims.size() >= 2 && chance(60)) {
    size_t d = pick(dims.size() - 1);
    dims[d] = shape::product({dims[d], dims[d + 1]});
    dims.erase(dims.begin() + d + 1);
  } else {
    auto *one = llvm::find(dims, Dim(1));
    if (one != dims.end())
      dims.erase(one);
    else
      dims.insert(dims.begin() + pick(dims.size() + 1), Dim(1));
  }
  Type type = tx::tensorType(dims, elementOf(x));
  return finish(tx::ReshapeOp::create(builder, loc, type, x.value), x.limit,
                x.error, false);
}

Generator::Maybe Generator::makeTranspose() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (dims.size() < 2)
    return std::nullopt;
  SmallVector<int64_t> permutation(dims.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  // std::shuffle differs between standard libraries.
  for (size_t i = dims.size(); i-- > 1;)
    std::swap(permutation[i], permutation[pick(i + 1)]);
  Dims permuted;
  for (int64_t p : permutation)
    permuted.push_back(dims[p]);
  Type type = tx::tensorType(permuted, elementOf(x));
  return finish(
      tx::TransposeOp::create(builder, loc, type, x.value, permutation),
      x.limit, x.error, false);
}

/// Named dims lose an element at an end, or every second one.
Generator::Maybe Generator::sliceOf(Entry x) {
  Dims dims = dimsOf(x);
  SmallVector<int64_t> offsets(dims.size(), 0), strides(dims.size(), 1);
  SmallVector<Value> dynamic;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (dim.isNumber()) {
      int64_t size = dim.constant();
      if (size < 2 || chance(40))
        continue;
      strides[d] = chance(50) ? 1 : 1 + pick(3);
      offsets[d] = chance(50) ? 0 : pick(size);
      int64_t count = (size - offsets[d] + strides[d] - 1) / strides[d];
      // Half of them end before the dim does.
      count = chance(50) ? count : 1 + pick(count);
      if (chance(25)) { // backwards, from the last element
        offsets[d] += (count - 1) * strides[d];
        strides[d] = -strides[d];
      }
      dim = Dim(count);
      continue;
    }
    if (leastOf(dim) < 3 || chance(40))
      continue;
    switch (pick(offset ? 3 : 2)) { // Loops take no offsets.
    case 0:
      offsets[d] = 1;
      dim = dim - 1;
      break;
    case 1:
      strides[d] = 2;
      dim = ceilDiv(dim, 2);
      break;
    default: // k is 0, 1 or 2
      offsets[d] = ShapedType::kDynamic;
      dynamic.push_back(offset);
      dim = dim - 2;
    }
  }
  Type type = tx::tensorType(dims, elementOf(x));
  return finish(tx::SliceOp::create(builder, loc, type, x.value, dynamic,
                                    offsets, strides),
                x.limit, x.error, false);
}

Generator::Maybe Generator::padOf(Entry x) {
  Dims dims = dimsOf(x);
  if (dims.empty())
    return std::nullopt;
  SmallVector<int64_t> low, high, interior;
  for (Dim &dim : dims) {
    low.push_back(chance(40) ? 0 : pick(4) - 1);
    high.push_back(pick(4) - 1);
    interior.push_back(leastOf(dim) > 0 && chance(25) ? 1 : 0);
    // Nothing may become negative.
    if (leastOf(dim) < 3) {
      low.back() = std::max<int64_t>(low.back(), 0);
      high.back() = std::max<int64_t>(high.back(), 0);
    }
    dim = dim + (dim - 1) * interior.back() + low.back() + high.back();
  }
  if (elementsOf(dims) > 20000)
    return std::nullopt;
  auto scalar = RankedTensorType::get({}, elementOf(x));
  Entry value = splat(isBool(x) ? pick(2) : pick(5), scalar);
  Type type = tx::tensorType(dims, elementOf(x));
  return finish(tx::PadOp::create(builder, loc, type, x.value, value.value, low,
                                  high, interior),
                std::max(x.limit, value.limit), x.error, false);
}

/// Values that differ in one dim at most, x among them.
Generator::Maybe Generator::concatenationOf(Entry x) {
  Dims dims = dimsOf(x);
  if (dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  SmallVector<Entry> inputs = {x};
  for (int tries = 0; tries < 6 && inputs.size() < 4; ++tries) {
    Maybe y = fitDType(any(), elementOf(x));
    Dims others = y ? dimsOf(*y) : Dims();
    if (others.size() != dims.size())
      continue;
    others[dim] = dims[dim];
    if (others == dims)
      inputs.push_back(*y);
  }
  if (Maybe y = fit(partner(x), x); y && chance(30))
    inputs.push_back(*y);
  Entry made = x;
  SmallVector<Value> values;
  dims[dim] = Dim(0);
  for (const Entry &e : inputs) {
    values.push_back(e.value);
    dims[dim] = dims[dim] + dimsOf(e)[dim];
    made.limit = std::max(made.limit, e.limit);
    made.error = std::max(made.error, e.error);
  }
  if (elementsOf(dims) > 20000)
    return std::nullopt;
  made.value = tx::ConcatenateOp::create(
      builder, loc, tx::tensorType(dims, elementOf(x)), values, dim);
  return finish(made.value, made.limit, made.error, false);
}

} // namespace tensorc::fuzz
