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
  double n = 1;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (chance(60)) {
      reduced.push_back(d);
      n *= sizeOf(dim);
    } else {
      kept.push_back(dim);
    }
  }
  Type type = space.type(kept, elementOf(x));
  double eps = epsilonOf(elementOf(x));
  bool isSummable = !isFloat(x) || x.limit < 1e3;
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
                  x.limit, x.error, false);
  default:
    return finish(tx::ReduceMinOp::create(builder, loc, type, x.value, reduced),
                  x.limit, x.error, false);
  }
}

Generator::Maybe Generator::makeBoolReduction() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (!isBool(x) || dims.empty())
    return std::nullopt;
  int64_t dim = pick(dims.size());
  dims.erase(dims.begin() + dim);
  Type type = space.type(dims, elementOf(x));
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
  dims.erase(dims.begin() + dim);
  Type element = chance(50) ? builder.getI32Type() : builder.getI64Type();
  Type type = space.type(dims, element);
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
  switch (pick(3)) {
  case 0:
    if (isFloat(x) && !(x.limit < 1e3))
      return std::nullopt;
    return finish(tx::CumsumOp::create(builder, loc, type, x.value, dim,
                                       reverse, exclusive),
                  n * x.limit, n * x.error + walk(n) * eps * n * x.limit, true);
  case 1:
    return finish(tx::CummaxOp::create(builder, loc, type, x.value, dim,
                                       reverse, /*exclusive=*/false),
                  x.limit, x.error, false);
  default:
    return finish(tx::CumminOp::create(builder, loc, type, x.value, dim,
                                       reverse, /*exclusive=*/false),
                  x.limit, x.error, false);
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

/// Contracts the last dims of two values of one shape; their first may be a
/// batch dim.
Generator::Maybe Generator::makeDot() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (dims.empty() || isBool(x) || !(x.limit < 1e3))
    return std::nullopt;
  Maybe y = fit(partner(x), x);
  if (!y || !(y->limit < 1e3))
    return std::nullopt;
  SmallVector<int64_t> batch, contracting = {(int64_t)dims.size() - 1};
  if (dims.size() >= 2 && chance(50))
    batch.push_back(0);
  Dims result(ArrayRef<AffineExpr>(dims).take_front(batch.size()));
  for (int side = 0; side < 2; ++side)
    result.append(dims.begin() + batch.size(), dims.end() - 1);
  if (result.size() > 4 || elementsOf(result) > 20000)
    return std::nullopt;
  double k = sizeOf(dims.back()), product = k * x.limit * y->limit;
  double error = k * (x.error * y->limit + y->error * x.limit) +
                 walk(k) * epsilonOf(elementOf(x)) * product;
  return finish(tx::DotGeneralOp::create(
                    builder, loc, space.type(result, elementOf(x)), x.value,
                    y->value, batch, batch, contracting, contracting),
                product, error, true);
}

/// As the API records it: a composite over the last dim.
Generator::Maybe Generator::makeSoftmax() {
  Entry x = any();
  Dims dims = dimsOf(x);
  if (!isFloat(x) || dims.empty() || !(x.limit < 20))
    return std::nullopt;
  Type type = x.value.getType();
  auto composite =
      tx::CompositeOp::create(builder, loc, TypeRange{type}, "softmax",
                              ValueRange{x.value}, DictionaryAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block &body = composite.getBody().emplaceBlock();
  Value a = body.addArgument(type, loc);
  builder.setInsertionPointToStart(&body);
  int64_t last = dims.size() - 1;
  auto rows = space.type(ArrayRef<AffineExpr>(dims).drop_back(), elementOf(x));
  auto kept = llvm::to_vector(llvm::seq<int64_t>(0, last));
  auto spread = [&](Value v) {
    return tx::BroadcastOp::create(builder, loc, type, v, kept).getResult();
  };
  Value m = tx::ReduceMaxOp::create(builder, loc, rows, a, last);
  Value d = tx::SubOp::create(builder, loc, type, a, spread(m));
  Value e = tx::ExpOp::create(builder, loc, type, d);
  Value s = tx::SumOp::create(builder, loc, rows, e, last);
  Value q = tx::DivOp::create(builder, loc, type, e, spread(s));
  tx::YieldOp::create(builder, loc, q);
  double eps = epsilonOf(elementOf(x));
  return finish(composite.getResult(0), 1,
                4 * x.error + 2 * eps * (x.limit + 4), true);
}

} // namespace tensorc::fuzz
