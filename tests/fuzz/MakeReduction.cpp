//===- MakeReduction.cpp - Random reductions and contractions -------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

/// What summing n terms may lose, in units of epsilon times their sum's bound:
/// errors add up like a random walk.
static double walk(double n) { return std::max(4.0, std::sqrt(n) / 2); }

Generator::Maybe Generator::makeReduction() {
  Entry x = any();
  Dims dims = dimsOf(x), kept;
  if (isBool(x) || dims.empty())
    return std::nullopt;
  SmallVector<int64_t> reduced;
  double n = 1, least = 1;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (chance(60)) {
      reduced.push_back(d);
      n *= sizeOf(dim);
      least *= leastOf(dim);
    } else {
      kept.push_back(dim);
    }
  }
  Type type = tx::tensorType(kept, elementOf(x));
  double eps = epsilonOf(elementOf(x));
  bool isSummable = !isFloat(x) || x.limit < 1e3;
  // Over no elements: the ends of the range.
  double extremum = least ? x.limit : infinity;
  switch (pick(5)) {
  case 0:
  case 1:
    if (!isSummable)
      return std::nullopt;
    return finish(tx::SumOp::create(builder, loc, type, x.value, reduced),
                  n * x.limit, n * x.error + walk(n) * eps * n * x.limit, true);
  case 2: {
    double limit = std::pow(std::max(1.0, x.limit), n);
    if (isFloat(x) && !(limit < 1e3))
      return std::nullopt;
    return finish(tx::ProdOp::create(builder, loc, type, x.value, reduced),
                  limit, n * limit * (x.error + eps), true);
  }
  case 3:
    return finish(tx::ReduceMaxOp::create(builder, loc, type, x.value, reduced),
                  extremum, x.error, false);
  default:
    return finish(tx::ReduceMinOp::create(builder, loc, type, x.value, reduced),
                  extremum, x.error, false);
  }
}

Generator::Maybe Generator::makeBoolReduction() {
  Maybe bools = fitDType(any(), builder.getI1Type());
  Entry x = bools ? *bools : any();
  Dims dims = dimsOf(x);
  if (!isBool(x) || dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  dims.erase(dims.begin() + dim);
  Type type = tx::tensorType(dims, elementOf(x));
  ArrayRef<int64_t> reduced(dim);
  Value value =
      chance(50)
          ? tx::AnyOp::create(builder, loc, type, x.value, reduced).getResult()
          : tx::AllOp::create(builder, loc, type, x.value, reduced).getResult();
  return Entry{value, 1, 0};
}

Generator::Maybe Generator::makeArgmax() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (!isExact(x) || dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  double limit = sizeOf(dims[dim]);
  if (leastOf(dims[dim]) == 0)
    return std::nullopt; // Refused: there is no place to name.
  dims.erase(dims.begin() + dim);
  Type element = chance(50) ? builder.getI32Type() : builder.getI64Type();
  Type type = tx::tensorType(dims, element);
  ArrayRef<int64_t> reduced(dim);
  if (chance(50))
    return finish(tx::ArgminOp::create(builder, loc, type, x.value, reduced),
                  limit, 0, false);
  return finish(tx::ArgmaxOp::create(builder, loc, type, x.value, reduced),
                limit, 0, false);
}

Generator::Maybe Generator::makeScan() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (isBool(x) || dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  double n = sizeOf(dims[dim]), eps = epsilonOf(elementOf(x));
  Type type = x.value.getType();
  bool reverse = chance(40), exclusive = chance(40);
  double extremum = exclusive ? infinity : x.limit;
  switch (pick(4)) {
  case 3: {
    double limit = std::pow(std::max(1.0, x.limit), n);
    if (isFloat(x) && !(limit < 1e3))
      return std::nullopt;
    return finish(tx::CumprodOp::create(builder, loc, type, x.value, dim,
                                        reverse, exclusive),
                  limit, n * limit * (x.error + eps), true);
  }
  case 0:
    if (isFloat(x) && !(x.limit < 1e3))
      return std::nullopt;
    return finish(tx::CumsumOp::create(builder, loc, type, x.value, dim,
                                       reverse, exclusive),
                  n * x.limit, n * x.error + walk(n) * eps * n * x.limit, true);
  case 1:
    return finish(tx::CummaxOp::create(builder, loc, type, x.value, dim,
                                       reverse, exclusive),
                  extremum, x.error, false);
  default:
    return finish(tx::CumminOp::create(builder, loc, type, x.value, dim,
                                       reverse, exclusive),
                  extremum, x.error, false);
  }
}

Generator::Maybe Generator::makeSort() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  bool descending = chance(40);
  // Values that are off by little are in order off by no more; places are not.
  if (!isExact(x) || chance(50))
    return finish(tx::SortOp::create(builder, loc, x.value.getType(), x.value,
                                     dim, descending),
                  x.limit, x.error, false);
  return finish(tx::ArgsortOp::create(builder, loc, x.value, dim, descending),
                sizeOf(dims[dim]), 0, false);
}

/// Contracts dims that x and y have in common, and keeps some of them apart.
Generator::Maybe Generator::makeDot() {
  Entry x = any();
  if (isBool(x) || !(x.limit < 1e3))
    return std::nullopt;
  Maybe y = fitDType(chance(60) ? partner(x) : any(), elementOf(x));
  return y && y->limit < 1e3 ? dotOf(x, *y) : std::nullopt;
}

Generator::Maybe Generator::dotOf(const Entry &x, const Entry &y) {
  Dims dims = dimsOf(x), others = dimsOf(y), batch, rest;
  SmallVector<int64_t> pairs[2][2]; // batch and contracting, of x and of y
  double k = 1;
  for (int64_t i = dims.size(); i-- > 0;) {
    for (int64_t j = others.size(); j-- > 0;) {
      bool isTaken = llvm::is_contained(pairs[0][1], j) ||
                     llvm::is_contained(pairs[1][1], j);
      if (dims[i] != others[j] || isTaken || chance(20))
        continue;
      bool isContracting = chance(65);
      pairs[isContracting][0].push_back(i);
      pairs[isContracting][1].push_back(j);
      if (isContracting)
        k *= sizeOf(dims[i]);
      break;
    }
  }
  for (int64_t d : pairs[0][0])
    batch.push_back(dims[d]);
  for (auto [d, dim] : llvm::enumerate(dims))
    if (!llvm::is_contained(pairs[0][0], d) &&
        !llvm::is_contained(pairs[1][0], d))
      rest.push_back(dim);
  for (auto [d, dim] : llvm::enumerate(others))
    if (!llvm::is_contained(pairs[0][1], d) &&
        !llvm::is_contained(pairs[1][1], d))
      rest.push_back(dim);
  batch.append(rest);
  // The interpreter takes a step for each product.
  if (batch.size() > 5 || elementsOf(batch) * k > 200000)
    return std::nullopt;
  double product = k * x.limit * y.limit;
  double error = k * (x.error * y.limit + y.error * x.limit) +
                 walk(k) * epsilonOf(elementOf(x)) * product;
  return finish(tx::DotGeneralOp::create(builder, loc,
                                         tx::tensorType(batch, elementOf(x)),
                                         x.value, y.value, pairs[0][0],
                                         pairs[0][1], pairs[1][0], pairs[1][1]),
                product, error, true);
}

} // namespace tensorc::fuzz
