//===- Distribution.cpp - Which tensors are split over ranks --------------===//

#include "compiler/frontends/stablehlo/devices/Distribution.h"

using namespace mlir;

namespace tensorc::stablehlo {

Value Distribution::whole(TensorBuilder &b, Value tile, const Tiling &tiling) {
  if (tiling.isWhole())
    return tile;
  Value whole = gatherTiles(b, tile, tiling, tilings.ranks());
  tiles[whole] = {tile, tiling};
  return whole;
}

Value Distribution::tile(TensorBuilder &b, Value whole,
                         const Tiling &tiling) const {
  auto known = tiles.find(whole);
  return known != tiles.end() && known->second.second == tiling
             ? known->second.first
             : cutTile(b, whole, tiling, tilings.ranks());
}

void Distribution::hintLike(ArrayRef<Value> operands, Value result) {
  if (tilings.ranks() == 1)
    return;
  for (Value operand : operands)
    if (Tiling tiling = tilingOf(operand);
        builder::dimsOf(operand) == builder::dimsOf(result) &&
        !tiling.isWhole())
      return hint(result, tiling);
}

Tiling Distribution::tilingOf(Value whole) const {
  if (auto hint = hints.find(whole); hint != hints.end())
    return hint->second;
  auto known = tiles.find(whole);
  if (known != tiles.end())
    return known->second.second;
  Tiling tiling;
  tiling.dims.resize(builder::rankOf(whole));
  return tiling;
}

} // namespace tensorc::stablehlo
