//===- Control.cpp - Branches, loops and calls of StableHLO ---------------===//

#include "compiler/import/stablehlo/Words.h"

#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// The values, which were converted before the op.
static std::optional<Values> convertedOf(Call &call, ArrayRef<Value> source) {
  Values values;
  for (Value each : source) {
    values.push_back(call.converter.valueOf(each));
    if (!values.back()) // refused already
      return std::nullopt;
  }
  return values;
}

static Results whileLoop(Call &call) {
  OpBuilder &b = call.b.b;
  SmallVector<Value> captured =
      call.converter.capturedBy(call.op->getRegions());
  auto outside = convertedOf(call, captured);
  if (!outside)
    return failure();
  Values inputs(call.x.begin(), call.x.end());
  inputs.append(*outside);
  SmallVector<Type> types = llvm::to_vector(ValueRange(inputs).getTypes());
  auto loop = tx::WhileOp::create(
      b, call.b.loc, TypeRange(types).take_front(call.x.size()), inputs);
  if (failed(call.converter.isolate(call.op->getRegion(0), captured, types,
                                    loop.getCondition())) ||
      failed(call.converter.isolate(call.op->getRegion(1), captured, types,
                                    loop.getBody()))) {
    loop.erase();
    return failure();
  }
  return Values(loop.getResults());
}

/// A branch for `otherwise` and all behind it, as a region of `regions`.
static LogicalResult addBranches(Call &call, Value index,
                                 ArrayRef<Region *> regions,
                                 ArrayRef<Value> captured,
                                 ArrayRef<Value> inputs, tx::IfOp &made) {
  TensorBuilder &b = call.b;
  SmallVector<Type> types = llvm::to_vector(ValueRange(inputs).getTypes());
  Value isFirst = dtypeOf(index) == DType::I1 ? index : b.equal(index, 0);
  auto choice =
      tx::IfOp::create(b.b, b.loc, call.op->getResultTypes(), isFirst, inputs);
  made = choice;
  Region &then = choice.getThenBody(), &otherwise = choice.getElseBody();
  if (failed(call.converter.isolate(*regions[0], captured, types, then)))
    return failure();
  if (regions.size() == 2)
    return call.converter.isolate(*regions[1], captured, types, otherwise);
  // The index is the last input, of a case of three and more.
  OpBuilder::InsertionGuard guard(b.b);
  Block *block = b.b.createBlock(&otherwise);
  for (Type type : types)
    block->addArgument(type, b.loc);
  Values inner(block->getArguments().begin(), block->getArguments().end());
  Value next = b.sub(inner.back(), 1);
  inner.back() = next;
  tx::IfOp rest;
  if (failed(
          addBranches(call, next, regions.drop_front(), captured, inner, rest)))
    return failure();
  tx::ReturnOp::create(b.b, b.loc, rest.getResults());
  return success();
}

static Results branches(Call &call, Value index) {
  SmallVector<Region *> regions;
  for (Region &region : call.op->getRegions())
    regions.push_back(&region);
  if (rankOf(index) != 0)
    return call.refuse() << "needs an index of one element";
  // Branches nest, and so does what reads them.
  constexpr size_t most = 64;
  if (regions.empty() || regions.size() > most)
    return call.refuse() << "has " << regions.size() << " branches";
  SmallVector<Value> captured =
      call.converter.capturedBy(call.op->getRegions());
  auto inputs = convertedOf(call, captured);
  if (!inputs)
    return failure();
  if (call.op->getNumResults() == 0)
    return Values();
  for (Type type : call.op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return call.refuse() << "has a result without static sizes";
  }
  if (regions.size() == 1) // the same op twice: the index says nothing
    regions.push_back(regions[0]);
  if (regions.size() > 2) {
    // Handed on from branch to branch, less one each time; what is no branch
    // is the last one.
    int64_t last = static_cast<int64_t>(regions.size()) - 1;
    Value inside = call.b.map<tx::AndOp>(
        {call.b.greaterOrEqual(index, 0), call.b.lessOrEqual(index, last)});
    index = call.b.select(inside, index, last);
    inputs->push_back(index);
  }
  tx::IfOp made;
  if (failed(addBranches(call, index, regions, captured, *inputs, made))) {
    made.erase();
    return failure();
  }
  return Values(made.getResults());
}

static Results ifElse(Call &call) {
  if (dtypeOf(call.x[0]) != DType::I1 || call.op->getNumRegions() != 2)
    return call.refuse() << "needs an i1 and two regions";
  return branches(call, call.x[0]);
}

/// Of indices that are no branch's the last one runs.
static Results choice(Call &call) {
  if (dtypeOf(call.x[0]) != DType::I32)
    return call.refuse() << "needs an i32";
  return branches(call, call.x[0]);
}

static StringRef symbolIn(Attribute attribute) {
  auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(attribute);
  return symbol ? symbol.getValue() : StringRef();
}

static Results callFunction(Call &call) {
  return call.converter.call(call.op, symbolIn(call.attribute("callee")),
                             call.x);
}

/// An op that was made of others: these.
static Results composite(Call &call) {
  return call.converter.call(call.op, symbolIn(call.attribute("decomposition")),
                             call.x);
}

void addControlOps(Table &table) {
  table["stablehlo.while"] = Row{whileLoop, 0, anyCount, 2};
  table["stablehlo.if"] = Row{ifElse, 1, 1, 2};
  table["stablehlo.case"] = Row{choice, 1, 1, anyCount};
  table["func.call"] = Row{callFunction, 0, anyCount, 0, false, true};
  table["stablehlo.composite"] = Row{composite, 0, anyCount, 0, false, true};
}

} // namespace tensorc::stablehlo
