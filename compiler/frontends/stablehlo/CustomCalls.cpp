//===- CustomCalls.cpp - Custom calls of JAX ------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// True for calls that assign a value to devices. They have no effect on a
/// single device.
static bool isPlacement(StringRef name) {
  return llvm::is_contained(
      {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
       "annotate_device_placement", "xla.sdy.FuncResultSharding",
       "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"},
      name);
}

static Results customCall(Call &call) {
  auto target =
      dyn_cast_if_present<StringAttr>(call.attribute("call_target_name"));
  StringRef name = target ? target.getValue() : StringRef();
  if (isPlacement(name) && call.x.size() == call.op->getNumResults())
    return Values(call.x.begin(), call.x.end());
  // Assertions about sizes are dropped, because the program checks sizes where
  // they are used. A sink of JAX only keeps values in a module's text.
  if ((name == "shape_assertion" || name == "dce_sink") &&
      call.op->getNumResults() == 0)
    return Values();
  if (name == "tensorc.host")
    return hostCallback(call);
  if (name == "stablehlo.dynamic_reduce_window")
    return dynamicReduceWindow(call);
  if (name == "ApproxTopK")
    return approximateTopK(call);
  if (name == "tensorc.qr")
    return qr(call);
  if (name.starts_with("lapack_") && name.ends_with("_ffi"))
    return lapack(call, name);
  return call.refuse() << "of '" << name << "' has no meaning in tensorc";
}

void addCustomCalls(Table &table) {
  table["stablehlo.custom_call"] = Row{customCall, 0, anyCount};
}

} // namespace tensorc::stablehlo
