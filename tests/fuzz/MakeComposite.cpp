//===- MakeComposite.cpp - Random composites ------------------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

Generator::Maybe Generator::makeSoftmax() { return softmaxOf(any()); }

/// softmax(q kT s) v, now and then under a mask; nothing else reads the scores.
Generator::Maybe Generator::makeAttention() {
  Entry q = any();
  for (int tries = 0; tries < 8 && (!isFloat(q) || dimsOf(q).size() < 2);
       ++tries)
    q = any();
  Dims rows = dimsOf(q);
  if (!isFloat(q) || rows.size() < 2 || rows.size() > 4 || !(q.limit < 1e3))
    return std::nullopt;
  int64_t batch = rows.size() - 2;
  Dims keys(rows), columns(rows), scores(rows);
  Dim key = programDims[pick(programDims.size())];
  keys[batch] = columns[batch] = scores[batch + 1] = key;
  if (chance(50))
    columns[batch + 1] = programDims[pick(programDims.size())];
  double steps = sizeOf(rows[batch + 1]);
  if (elementsOf(scores) * steps > 100000 ||
      elementsOf(scores) * sizeOf(columns[batch + 1]) > 100000)
    return std::nullopt;
  Maybe k = fitDType(any(), elementOf(q)), v = fitDType(any(), elementOf(q));
  k = k ? fitDims(*k, keys) : k;
  v = v ? fitDims(*v, columns) : v;
  double limit = k ? steps * q.limit * k->limit : 0;
  if (!k || !v || !(limit < 1e4) || !(v->limit < 1e3))
    return std::nullopt;
  // A power of two, so that scores stay small and nothing is rounded.
  double scale = limit < 8 ? 1 : std::exp2(-std::ceil(std::log2(limit / 8)));
  auto batchDims = llvm::to_vector(llvm::seq<int64_t>(0, batch));
  auto dot = [&](Value x, Value y, const Dims &dims, int64_t yContracting) {
    return tx::DotGeneralOp::create(
               builder, loc, tx::tensorType(dims, elementOf(q)), x, y,
               batchDims, batchDims, ArrayRef<int64_t>(batch + 1),
               ArrayRef<int64_t>(yContracting))
        .getResult();
  };
  double eps = epsilonOf(elementOf(q));
  Maybe score = finish(dot(q.value, k->value, scores, batch + 1), limit,
                       steps * (q.error * k->limit + k->error * q.limit) +
                           4 * eps * limit,
                       true);
  if (score && scale < 1) {
    Type type = score->value.getType();
    Value product = tx::MulOp::create(builder, loc, type, score->value,
                                      splat(scale, type).value);
    score = finish(product, scale * score->limit, scale * score->error, false);
  }
  if (!score)
    return std::nullopt;
  Type type = score->value.getType();
  if (chance(40)) {
    auto positions = cast<RankedTensorType>(type).clone(builder.getI32Type());
    Value row = tx::IotaOp::create(builder, loc, positions, batch);
    Value column = tx::IotaOp::create(builder, loc, positions, batch + 1);
    Value sees = tx::GeOp::create(builder, loc, row, column);
    score->value = tx::SelectOp::create(builder, loc, type, sees, score->value,
                                        splat(-16, type).value);
    score->limit = 16;
  }
  Maybe weights = softmaxOf(*score);
  if (!weights)
    return std::nullopt;
  // The weights of a row add up to 1; theirs and the sums' errors are relative.
  double error =
      v->error + v->limit * (8 * score->error + 8 * eps * (score->limit + 8));
  Dims result(rows);
  result[batch + 1] = columns[batch + 1];
  return finish(dot(weights->value, v->value, result, batch), 1.1 * v->limit,
                error, true);
}

/// As the API records it: a composite over the last dim.
Generator::Maybe Generator::softmaxOf(Entry x) {
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
  auto rows = tx::tensorType(ArrayRef<Dim>(dims).drop_back(), elementOf(x));
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

/// A body of random ops, now and then with a composite in it, of which one or
/// two values are the results.
Generator::Maybe Generator::makeComposite() {
  // What is outside comes in as an operand.
  SmallVector<Entry> inputs = {any(), any(), any()};
  SmallVector<Value> operands;
  for (const Entry &e : inputs)
    operands.push_back(e.value);
  if (offset)
    operands.push_back(offset);
  std::vector<Entry> outer = std::move(pool);
  Value outerOffset = offset;
  pool.clear();
  auto body = std::make_unique<Block>();
  for (Value operand : operands)
    body->addArgument(operand.getType(), loc);
  for (auto [e, argument] : llvm::zip(inputs, body->getArguments()))
    pool.push_back({argument, e.limit, e.error});
  if (offset)
    offset = body->getArguments().back();
  SmallVector<Entry> results;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body.get());
    makeOps(1 + pick(4));
    results.push_back(pool.back());
    if (chance(30))
      results.push_back(any());
    SmallVector<Value> values;
    for (const Entry &e : results)
      values.push_back(e.value);
    tx::YieldOp::create(builder, loc, values);
  }
  pool = std::move(outer);
  offset = outerOffset;
  SmallVector<Type> types;
  for (const Entry &e : results)
    types.push_back(e.value.getType());
  auto composite = tx::CompositeOp::create(builder, loc, types, "random",
                                           operands, DictionaryAttr());
  composite.getBody().push_back(body.release());
  for (auto [e, value] : llvm::zip(results, composite.getResults()))
    e.value = value;
  for (const Entry &e : ArrayRef(results).drop_front())
    pool.push_back(e);
  return results[0];
}

} // namespace tensorc::fuzz
