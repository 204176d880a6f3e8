//===- HostCalls.cpp - Calls to the host, and their order -----------------===//
//
// All ops of tx are pure: unused ones are removed, equal ones are merged, and
// invariant ones are hoisted out of loops. A call with an effect has a token as
// an operand and returns one as its first result, which prevents all of this.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

bool isToken(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  return opaque && opaque.getTypeData() == "token";
}

Type tokenType(MLIRContext *context) {
  return tx::tensorType({}, tx::elementType(context, DType::I8));
}

Type passedToken(MLIRContext *context) {
  return tx::tensorType({Dim(0)}, tx::elementType(context, DType::I1));
}

void replaceTokens(ModuleOp source) {
  Type byte =
      RankedTensorType::get({}, IntegerType::get(source.getContext(), 8));
  auto replace = [&](auto values) {
    for (Value value : values)
      if (isToken(value.getType()))
        value.setType(byte);
  };
  source.walk([&](Operation *op) {
    replace(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        replace(block.getArguments());
  });
}

//===----------------------------------------------------------------------===//
// The order of effects
//===----------------------------------------------------------------------===//

Value Effects::before(OpBuilder &b) const {
  if (last)
    return last;
  Block *block = b.getInsertionBlock();
  bool isProgram = isa<func::FuncOp>(block->getParentOp());
  return isProgram || !block->getNumArguments() ? Value()
                                                : block->getArgument(0);
}

Value Effects::after(OpBuilder &b, Value value) const {
  if (!last)
    return value;
  return tx::CustomCallOp::create(b, last.getLoc(), TypeRange(value.getType()),
                                  b.getStringAttr("tensorc.after"),
                                  ValueRange{value, last}, StringAttr(),
                                  StringAttr())
      .getResult(0);
}

void Effects::addOp(OpBuilder &b, Operation *op) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  op->setOperand(0, after(b, op->getOperand(0)));
  add(op->getResult(0));
}

void Effects::endBlock(OpBuilder &b, MutableArrayRef<Value> results) {
  if (!results.empty() && results[0] != last)
    results[0] = after(b, results[0]);
  last = Value();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isByte(Value value) {
  return value.getType() == tokenType(value.getContext());
}

/// Converts a call of a host function. The config is the function's number in
/// the host's table: `3`, or `3 ordered` if a token is the first operand and
/// result. In tx, a call with an effect has a token as its first result. In the
/// config `3 1`, 1 is the number of leading operands that are tokens.
Results hostCallback(Call &call) {
  auto config =
      dyn_cast_if_present<StringAttr>(call.attribute("backend_config"));
  auto flag = dyn_cast_if_present<BoolAttr>(call.attribute("has_side_effect"));
  bool hasEffect = flag && flag.getValue();
  StringRef number = config ? config.getValue() : StringRef();
  bool isOrdered = number.consume_back(" ordered");
  SmallVector<Type> types(call.op->getResultTypes());
  if (number.empty() || types.size() + hasEffect == 0)
    return call.refuse() << "names no function of the host with a result";
  if (isOrdered &&
      (!hasEffect || call.x.empty() || types.empty() || !isByte(call.x[0])))
    return call.refuse() << "is ordered, but takes no token";
  Values inputs;
  std::string text = number.str();
  if (hasEffect) {
    if (Value before = call.converter.effects.before(call.b.b))
      inputs.push_back(before);
    text += " " + std::to_string(inputs.size() + isOrdered);
    if (!isOrdered)
      types.insert(types.begin(), tokenType(call.b.b.getContext()));
  }
  inputs.append(call.x.begin(), call.x.end());
  auto made = tx::CustomCallOp::create(
      call.b.b, call.b.loc, types, call.b.b.getStringAttr("tensorc.host"),
      inputs, call.b.b.getStringAttr(text), StringAttr());
  if (hasEffect)
    call.converter.effects.add(made.getResult(0));
  auto results = made.getResults().drop_front(hasEffect && !isOrdered);
  return Values(results.begin(), results.end());
}

static Results createToken(Call &call) {
  return Values{call.b.full(0, DType::I8)};
}

/// Returns a token that comes after all operands.
static Results afterAll(Call &call) {
  Value token = call.b.full(0, DType::I8);
  for (Value each : call.x)
    token = call.b.map<tx::OrOp>({token, each});
  return Values{token};
}

void addTokens(Table &table) {
  table["stablehlo.create_token"] = Row{createToken, 0, 0};
  table["stablehlo.after_all"] = Row{afterAll, 0, anyCount};
}

} // namespace tensorc::stablehlo
