//===- ManualComputation.cpp - Ops of JAX's dialect sdy -------------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Returns the tilings of values by the manual axes of an op.
static std::optional<SmallVector<Tiling>> tilingsOf(Call &call, StringRef name,
                                                    TypeRange types) {
  auto field = [&](StringRef attribute, StringRef name) {
    auto fields =
        dyn_cast_if_present<DictionaryAttr>(call.attribute(attribute));
    return fields ? fields.getAs<ArrayAttr>(name) : ArrayAttr();
  };
  ArrayAttr shardings = field(name, "shardings");
  ArrayAttr manual = field("manual_axes", "manual_axes");
  if (!shardings || !manual || shardings.size() != types.size()) {
    call.refuse() << "needs 'manual_axes', and '" << name << "' for "
                  << types.size() << " values";
    return std::nullopt;
  }
  SmallVector<Tiling> tilings;
  for (auto [sharding, type] : llvm::zip(shardings, types)) {
    auto tiling = call.converter.distribution.tilings.tiling(call.op, sharding,
                                                             type, manual);
    if (failed(tiling))
      return std::nullopt;
    tilings.push_back(std::move(*tiling));
  }
  return tilings;
}

/// A region that each rank applies to its tiles of the operands. It returns
/// tiles of the results.
static Results manualComputation(Call &call) {
  auto in = tilingsOf(call, "in_shardings", call.op->getOperandTypes());
  auto out = in ? tilingsOf(call, "out_shardings", call.op->getResultTypes())
                : std::nullopt;
  if (!out)
    return failure();
  if (call.converter.distribution.tilings.ranks() == 1 &&
      call.op->getOperandTypes() !=
          call.op->getRegion(0).front().getArgumentTypes())
    return call.refuse()
           << "computes on several devices, and the module is for "
              "one (mhlo.num_partitions)";
  Distribution &distribution = call.converter.distribution;
  Values tiles;
  for (auto [x, tiling] : llvm::zip(call.x, *in))
    tiles.push_back(tiling.isWhole() ? distribution.sameOnAllRanks(call.b, x)
                                     : distribution.tile(call.b, x, tiling));
  bool isNested = std::exchange(distribution.isManual, true);
  Results results = call.converter.inlined(call.op->getRegion(0), tiles);
  distribution.isManual = isNested;
  if (failed(results))
    return failure();
  if (results->size() != out->size())
    return call.refuse() << "returns " << results->size()
                         << " values instead of " << out->size();
  for (auto [result, tiling] : llvm::zip(*results, *out)) {
    // A constraint in the region splits the result by axes that are not manual.
    Tiling inner = distribution.tilingOf(result);
    result = tiling.isWhole() ? distribution.sameOnAllRanks(call.b, result)
                              : distribution.whole(call.b, result, tiling);
    if (tiling.isWhole() && !inner.isWhole())
      result = distribution.constrain(call.b, result, inner);
  }
  return results;
}

/// Splits a value according to a sharding constraint. If the value is a result
/// of the program without a sharding of its own, the result is split in the
/// same way. A constraint that is not supported, such as parts of unequal
/// sizes, is ignored.
static Results constraint(Call &call) {
  if (call.op->getNumResults() != 1)
    return call.refuse() << "has " << call.op->getNumResults() << " results";
  ScopedDiagnosticHandler silent(call.op->getContext(), [](Diagnostic &) {});
  auto tiling = call.converter.distribution.tilings.tiling(
      call.op, call.attribute("sharding"), call.op->getResult(0).getType());
  if (failed(tiling) || call.lifted)
    return Values{call.x[0]};
  return Values{
      call.converter.distribution.constrain(call.b, call.x[0], *tiling)};
}

static Results passOn(Call &call) {
  return Values(call.x.begin(), call.x.end());
}

static Results nothing(Call &) { return Values(); }

void addShardings(Table &table) {
  table["sdy.manual_computation"] = Row{manualComputation, 0, anyCount, 1};
  table["sdy.sharding_constraint"] =
      Row{constraint, 1, 1, 0, false, /*isLiftable=*/true};
  table["sdy.reshard"] = Row{constraint, 1, 1};
  table["sdy.propagation_barrier"] = Row{passOn, 1, 1};
  table["sdy.sharding_group"] = Row{nothing, 1, 1};
}

} // namespace tensorc::stablehlo
