//===- Control.cpp - Branches, loops and calls of StableHLO ---------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Returns the converted values of source values, which were converted before
/// the op; nullopt if one was refused.
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
  auto loop = tx::WhileOp::create(b, call.b.loc,
                                  TypeRange(types).take_front(call.x.size()),
                                  inputs, IntegerAttr());
  unsigned effects = call.converter.effects.count;
  if (failed(call.converter.isolate(call.op->getRegion(0), captured, types,
                                    loop.getCondition())) ||
      failed(call.converter.isolate(call.op->getRegion(1), captured, types,
                                    loop.getBody()))) {
    loop.erase();
    return failure();
  }
  if (call.converter.effects.count != effects && loop->getNumResults()) {
    call.converter.effects.addOp(b, loop);
    return Values(loop.getResults());
  }
  auto counted = call.converter.countLoop(loop);
  return counted ? *counted : Values(loop.getResults());
}

/// Makes a tx.if or tx.switch with the op's regions.
template <typename Op> static Results branches(Call &call, Value selector) {
  SmallVector<Value> captured =
      call.converter.capturedBy(call.op->getRegions());
  auto inputs = convertedOf(call, captured);
  if (!inputs)
    return failure();
  SmallVector<Type> declared(call.op->getResultTypes());
  if (declared.empty()) // a branch without results is executed for its effects
    declared.push_back(tokenType(call.b.b.getContext()));
  for (unsigned i = 0; i < call.op->getNumResults(); ++i)
    if (!call.declaredDType(i))
      return failure();
  SmallVector<Type> types = llvm::to_vector(ValueRange(*inputs).getTypes());
  Operation *made;
  if constexpr (std::is_same_v<Op, tx::IfOp>)
    made = Op::create(call.b.b, call.b.loc, declared, selector, *inputs);
  else
    made = Op::create(call.b.b, call.b.loc, declared, selector, *inputs,
                      call.op->getNumRegions());
  unsigned effects = call.converter.effects.count;
  for (auto [from, to] :
       llvm::zip_equal(call.op->getRegions(), made->getRegions()))
    if (failed(call.converter.isolate(from, captured, types, to))) {
      made->erase();
      return failure();
    }
  // The types of a branch's results contain the names of sizes that are dynamic
  // in the source text. They must be equal in all branches.
  auto typesOf = [](Region &branch) {
    return branch.front().getTerminator()->getOperandTypes();
  };
  for (Region &branch : made->getRegions())
    if (typesOf(branch) != typesOf(made->getRegion(0))) {
      auto error = call.refuse() << "has branches of several types: ";
      llvm::interleaveComma(typesOf(made->getRegion(0)), error);
      error << " and ";
      llvm::interleaveComma(typesOf(branch), error);
      made->erase();
      return failure();
    }
  for (auto [result, type] :
       llvm::zip(made->getResults(), typesOf(made->getRegion(0))))
    result.setType(type);
  if (call.converter.effects.count != effects)
    call.converter.effects.addOp(call.b.b, made);
  return Values(made->getResults().take_front(call.op->getNumResults()));
}

static Results ifElse(Call &call) {
  Value predicate = call.x[0];
  if (dtypeOf(predicate) != DType::I1 || rankOf(predicate) != 0 ||
      call.op->getNumRegions() != 2)
    return call.refuse() << "needs an i1 of one element and two regions";
  return branches<tx::IfOp>(call, predicate);
}

/// The last branch runs if the index is out of range, as StableHLO specifies.
static Results choice(Call &call) {
  Value index = call.x[0];
  if (dtypeOf(index) != DType::I32 || rankOf(index) != 0)
    return call.refuse() << "needs an i32 of one element";
  int64_t last = static_cast<int64_t>(call.op->getNumRegions()) - 1;
  if (last < 0)
    return call.refuse() << "has no branches";
  return branches<tx::SwitchOp>(
      call, call.b.select(call.b.greaterOrEqual(index, 0), index, last));
}

/// Converts a call, or a composite, by inlining its function.
static Results callFunction(Call &call) {
  return call.converter.call(call.op, calleeOf(call.op), call.x);
}

void addControlOps(Table &table) {
  table["stablehlo.while"] = Row{whileLoop, 0, anyCount, 2};
  table["stablehlo.if"] = Row{ifElse, 1, 1, 2};
  table["stablehlo.case"] = Row{choice, 1, 1, anyCount};
  table["func.call"] = Row{callFunction, 0, anyCount, 0, false, true};
  table["stablehlo.composite"] = Row{callFunction, 0, anyCount, 0, false, true};
}

} // namespace tensorc::stablehlo
