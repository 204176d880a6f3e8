//===- MakeComposite.cpp - Random composites ------------------------------===//

#include "tests/fuzz/Generator.h"

using namespace mlir;

namespace tensorc::fuzz {

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
