//===- CustomCalls.cpp - Calls by name that JAX makes ---------------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Where a value lies among devices: here there is one.
static bool isPlacement(StringRef name) {
  return llvm::is_contained(
      {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
       "annotate_device_placement", "xla.sdy.FuncResultSharding",
       "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"},
      name);
}

static Type tokenType(MLIRContext *context) {
  return tx::tensorType({}, tx::elementType(context, DType::I8));
}

static bool isToken(Value value) {
  return value.getType() == tokenType(value.getContext());
}

/// A function of the host, by its number in the host's table, which is the
/// config: `3`, or `3 ordered` where a token is the first operand and result.
/// In tx a call with an effect has a token as its first result, and `3 1` says
/// how many of its first operands only order it.
static Results hostCallback(Call &call) {
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
      (!hasEffect || call.x.empty() || types.empty() || !isToken(call.x[0])))
    return call.refuse() << "is ordered, but takes no token";
  Values inputs;
  std::string text = number.str();
  if (hasEffect) {
    if (Value before = call.converter.effectBefore())
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
    call.converter.setEffect(made.getResult(0));
  auto results = made.getResults().drop_front(hasEffect && !isOrdered);
  return Values(results.begin(), results.end());
}

static Results customCall(Call &call) {
  auto target =
      dyn_cast_if_present<StringAttr>(call.attribute("call_target_name"));
  StringRef name = target ? target.getValue() : StringRef();
  if (isPlacement(name) && call.x.size() == call.op->getNumResults())
    return Values(call.x.begin(), call.x.end());
  // The sizes of a run are checked where they are used.
  if (name == "shape_assertion" && call.op->getNumResults() == 0)
    return Values();
  if (name == "tensorc.host")
    return hostCallback(call);
  if (name == "stablehlo.dynamic_reduce_window")
    return dynamicReduceWindow(call);
  if (name.starts_with("lapack_") && name.ends_with("_ffi"))
    return lapack(call, name);
  return call.refuse() << "of '" << name << "' has no meaning in tensorc";
}

static Results passOn(Call &call) {
  return Values(call.x.begin(), call.x.end());
}

static Results createToken(Call &call) {
  return Values{call.b.full(0, DType::I8)};
}

/// A token that comes after all of these.
static Results afterAll(Call &call) {
  Value token = call.b.full(0, DType::I8);
  for (Value each : call.x)
    token = call.b.map<tx::OrOp>({token, each});
  return Values{token};
}

/// The number of this device among those that run the program: there is one.
static Results deviceNumber(Call &call) {
  return Values{call.b.full(0, DType::UI32)};
}

void addCustomCalls(Table &table) {
  table["stablehlo.create_token"] = Row{createToken, 0, 0};
  table["stablehlo.after_all"] = Row{afterAll, 0, anyCount};
  table["stablehlo.partition_id"] = Row{deviceNumber, 0, 0};
  table["stablehlo.replica_id"] = Row{deviceNumber, 0, 0};
  table["stablehlo.custom_call"] = Row{customCall, 0, anyCount};
  table["sdy.sharding_constraint"] = Row{passOn, 1, 1};
  table["sdy.reshard"] = Row{passOn, 1, 1};
}

} // namespace tensorc::stablehlo
