//===- Distribution.cpp - Which tensors are split over ranks --------------===//

#include "compiler/frontends/stablehlo/devices/Distribution.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Makes a tx.shard, tx.join_parts or tx.local_part.
template <typename Op>
static Value overMesh(TensorBuilder &b, Value x, RankedTensorType type,
                      ArrayRef<int64_t> mesh, ArrayRef<int64_t> dims) {
  return Op::create(b.b, b.loc, type, x, mesh, dims);
}

Value Distribution::sameOnAllRanks(TensorBuilder &b, Value whole) const {
  if (tilings.ranks() == 1 || isManual)
    return whole;
  NumberList none(tilings.mesh().size(), -1);
  return overMesh<tx::ShardOp>(b, whole, builder::typeOf(whole), tilings.mesh(),
                               none);
}

std::optional<tx::Sharding> Distribution::meshDims(const Tiling &tiling) const {
  return isManual ? std::nullopt : tilings.sharding(tiling);
}

Value Distribution::whole(TensorBuilder &b, Value tile, const Tiling &tiling) {
  if (tiling.isWhole())
    return tile;
  Value whole;
  if (auto dims = meshDims(tiling))
    whole = overMesh<tx::JoinPartsOp>(b, tile,
                                      wholeType(builder::typeOf(tile), tiling),
                                      tilings.mesh(), *dims);
  else
    whole = sameOnAllRanks(b, gatherTiles(b, tile, tiling, tilings.ranks()));
  tiles[whole] = {tile, tiling};
  return whole;
}

Value Distribution::tile(TensorBuilder &b, Value whole,
                         const Tiling &tiling) const {
  auto known = tiles.find(whole);
  if (known != tiles.end() && known->second.second == tiling)
    return known->second.first;
  if (tiling.isWhole())
    return whole;
  if (auto dims = meshDims(tiling))
    return overMesh<tx::LocalPartOp>(b, whole,
                                     tileType(builder::typeOf(whole), tiling),
                                     tilings.mesh(), *dims);
  return cutTile(b, whole, tiling, tilings.ranks());
}

Value Distribution::constrain(TensorBuilder &b, Value whole,
                              const Tiling &tiling) {
  if (tilings.ranks() == 1)
    return whole;
  Operation *parent = b.b.getInsertionBlock()->getParentOp();
  if (auto dims = meshDims(tiling); dims && isa<func::FuncOp>(parent))
    whole = overMesh<tx::ShardOp>(b, whole, builder::typeOf(whole),
                                  tilings.mesh(), *dims);
  hint(whole, tiling);
  return whole;
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
