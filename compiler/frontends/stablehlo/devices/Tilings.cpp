//===- Tilings.cpp - Tensors that are split over devices ------------------===//

#include "compiler/frontends/stablehlo/devices/Tilings.h"

#include "ir/library/Library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace tensorc::stablehlo {

using builder::typeOf;
using shape::Dim;
using tx::DType;

//===----------------------------------------------------------------------===//
// Shardings, which are dictionaries of their fields (ShardingDialect.cpp)
//===----------------------------------------------------------------------===//

namespace {
/// An axis of a mesh, or a part of one: `size` neighbours, `pre_size` times.
struct AxisPart {
  StringRef name;
  int64_t before = 1, size = 0; // size 0: the whole axis
};
} // namespace

static StringRef nameIn(Attribute attribute) {
  if (auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(attribute))
    return symbol.getValue();
  if (auto text = dyn_cast_if_present<StringAttr>(attribute))
    return text.getValue();
  return {};
}

static ArrayRef<Attribute> listIn(Attribute attribute) {
  auto list = dyn_cast_if_present<ArrayAttr>(attribute);
  return list ? list.getValue() : ArrayRef<Attribute>();
}

static Attribute fieldOf(Attribute attribute, StringRef name) {
  auto fields = dyn_cast_if_present<DictionaryAttr>(attribute);
  return fields ? fields.get(name) : Attribute();
}

static AxisPart axisIn(Attribute attribute) {
  AxisPart part{nameIn(fieldOf(attribute, "name"))};
  if (Attribute sub = fieldOf(attribute, "sub_axis")) {
    part.before = numberIn(fieldOf(sub, "pre_size")).value_or(0);
    part.size = numberIn(fieldOf(sub, "size")).value_or(0);
  }
  return part;
}

Tilings::Tilings(ModuleOp module) {
  auto number = [&](StringRef name) {
    return std::max<int64_t>(numberIn(module->getAttr(name)).value_or(1), 1);
  };
  count = number("mhlo.num_partitions");
  for (Operation &op : *module.getBody())
    if (op.getName().getStringRef() == "sdy.mesh")
      if (auto mesh = dyn_cast_if_present<DictionaryAttr>(
              attributeOf(&op, "mesh")))
        meshes[nameIn(attributeOf(&op, "sym_name"))] = mesh;
}

/// Returns the index of each rank along a part of a mesh's axis, and the number
/// of indices; nullopt for an axis that the mesh lacks.
static std::optional<Tiling::Axis> indicesAlong(DictionaryAttr mesh,
                                                const AxisPart &part,
                                                int64_t ranks) {
  int64_t size = 0, inner = 1; // ranks between neighbours along the axis
  for (Attribute axis : llvm::reverse(listIn(mesh.get("axes")))) {
    int64_t length = numberIn(fieldOf(axis, "size")).value_or(0);
    if (nameIn(fieldOf(axis, "name")) == part.name) {
      size = length;
      break;
    }
    inner *= length;
  }
  int64_t width = part.size ? part.size : size;
  if (size < 1 || inner < 1 || part.before < 1 || width < 1 ||
      size % (part.before * width) != 0)
    return std::nullopt;
  Tiling::Axis axis{width, NumberList(ranks)};
  NumberList devices = numbersIn(mesh.get("device_ids")).value_or(NumberList());
  inner *= size / (part.before * width);
  for (int64_t position = 0; position < ranks; ++position) {
    int64_t rank = devices.empty() ? position : devices[position];
    axis.indices[rank] = position / inner % width;
  }
  return axis;
}

/// Checks that a mesh has each of the ranks once.
static bool fits(DictionaryAttr mesh, int64_t ranks) {
  int64_t size = 1;
  for (Attribute axis : listIn(mesh.get("axes")))
    if (int64_t length = numberIn(fieldOf(axis, "size")).value_or(0);
        length < 1 || length > ranks || (size *= length) > ranks)
      return false;
  NumberList devices = numbersIn(mesh.get("device_ids")).value_or(NumberList());
  llvm::sort(devices);
  return size == ranks &&
         (devices.empty() ||
          llvm::equal(devices, llvm::seq<int64_t>(0, ranks)));
}

/// Checks that each tile is that of equally many ranks.
static bool coversEvenly(const Tiling &tiling, int64_t ranks) {
  std::map<NumberList, int64_t> holders;
  int64_t tiles = 1;
  for (const Tiling::Axis &dim : tiling.dims)
    if (llvm::MulOverflow(tiles, dim.count, tiles) || tiles > ranks)
      return false;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    NumberList indices;
    for (const Tiling::Axis &dim : tiling.dims)
      if (dim.count > 1)
        indices.push_back(dim.indices[rank]);
    ++holders[indices];
  }
  return llvm::all_of(holders, [&](const auto &tile) {
    return tile.second * tiles == ranks;
  });
}

FailureOr<Tiling> Tilings::tiling(Operation *op, Attribute sharding, Type type,
                                  ArrayAttr manual) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Tiling tiling;
  tiling.dims.resize(tensor ? tensor.getRank() : 0);
  ArrayRef<Attribute> dims = listIn(fieldOf(sharding, "dims"));
  if (count == 1 || dims.empty())
    return tiling;
  StringRef name = nameIn(fieldOf(sharding, "mesh"));
  DictionaryAttr mesh = meshes.lookup(name);
  if (dims.size() != tiling.dims.size())
    return op->emitError() << "a sharding of " << dims.size()
                           << " dims is that of a value of type " << type;
  if (!mesh || !fits(mesh, count))
    return op->emitError() << "the mesh @" << name << " is not made of the "
                           << count << " devices of mhlo.num_partitions";
  if (!listIn(fieldOf(sharding, "unreduced")).empty())
    return op->emitError() << "a sharding with unreduced axes is not available";
  for (auto [dim, size, axis] :
       llvm::zip(dims, tensor.getShape(), tiling.dims)) {
    for (Attribute each : listIn(fieldOf(dim, "axes"))) {
      AxisPart part = axisIn(each);
      if (manual && llvm::none_of(manual, [&](Attribute name) {
            return nameIn(name) == part.name;
          }))
        continue;
      std::optional<Tiling::Axis> inner = indicesAlong(mesh, part, count);
      if (!inner)
        return op->emitError()
               << "a sharding names the axis '" << part.name
               << "', or a part of it, which @" << name << " has not";
      axis.indices.resize(count);
      for (auto [index, digit] : llvm::zip(axis.indices, inner->indices))
        index = index * inner->count + digit;
      axis.count *= inner->count;
    }
    if (axis.count == 1)
      axis.indices.clear();
    if (ShapedType::isDynamic(size) ? axis.count > 1 : size % axis.count != 0)
      return op->emitError() << "a dim of a value of type " << type
                             << " is split into " << axis.count
                             << " parts, which its size must be a multiple of";
  }
  if (!coversEvenly(tiling, count))
    return op->emitError() << "a sharding splits by an axis of @" << name
                           << " twice";
  return tiling;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

RankedTensorType tileType(RankedTensorType whole, const Tiling &tiling) {
  SmallVector<int64_t> sizes(whole.getShape());
  for (auto [size, dim] : llvm::zip(sizes, tiling.dims))
    if (dim.count > 1)
      size /= dim.count;
  return whole.clone(sizes);
}

/// Returns groups of ranks that have all tiles along a dim, in order, and the
/// same tiles along other dims.
static NumberList groupsAlong(const Tiling &tiling, size_t along,
                              int64_t ranks) {
  std::map<NumberList, SmallVector<NumberList>> byOthers;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    NumberList others;
    for (auto [i, dim] : llvm::enumerate(tiling.dims))
      if (i != along && dim.count > 1)
        others.push_back(dim.indices[rank]);
    auto &tiles = byOthers[others];
    tiles.resize(tiling.dims[along].count);
    tiles[tiling.dims[along].indices[rank]].push_back(rank);
  }
  NumberList groups;
  for (auto &[others, tiles] : byOthers)
    for (size_t copy = 0; copy < tiles.front().size(); ++copy)
      for (const NumberList &holders : tiles)
        groups.push_back(holders[copy]);
  return groups;
}

Value gatherTiles(TensorBuilder &b, Value tile, const Tiling &tiling,
                  int64_t ranks) {
  for (auto [i, dim] : llvm::enumerate(tiling.dims)) {
    if (dim.count == 1)
      continue;
    NumberList groups = groupsAlong(tiling, i, ranks);
    if (dim.count == ranks &&
        llvm::equal(groups, llvm::seq<int64_t>(0, ranks)))
      groups.clear();
    OperationState state(b.loc, tx::AllGatherOp::getOperationName());
    state.addOperands(tile);
    tx::AllGatherAttributes{static_cast<int64_t>(i), dim.count, groups}.addTo(
        state);
    SmallVector<int64_t> sizes(typeOf(tile).getShape());
    sizes[i] *= dim.count;
    state.addTypes(typeOf(tile).clone(sizes));
    tile = b.b.create(state)->getResult(0);
  }
  return tile;
}

Value cutTile(TensorBuilder &b, Value whole, const Tiling &tiling,
              int64_t ranks) {
  if (tiling.isWhole())
    return whole;
  Value rank = tx::PartitionIdOp::create(
      b.b, b.loc, tx::tensorType({}, b.b.getI64Type()), ranks);
  RankedTensorType type = tileType(typeOf(whole), tiling);
  SmallVector<Value> offsets;
  for (auto [size, dim] : llvm::zip(type.getShape(), tiling.dims)) {
    if (dim.count == 1) {
      offsets.push_back(b.full(0, DType::I64));
      continue;
    }
    NumberList first;
    for (int64_t index : dim.indices)
      first.push_back(index * size);
    auto list = RankedTensorType::get({ranks}, b.b.getI64Type());
    Value table = tx::ConstantOp::create(
        b.b, b.loc, DenseElementsAttr::get(list, ArrayRef(first)));
    offsets.push_back(b.reshape(
        b.take(table, b.reshape(rank, {Dim(1)}), 0), {}));
  }
  return tx::DynamicSliceOp::create(b.b, b.loc, type, whole, offsets,
                                    type.getShape());
}

std::string shardingText(const Tiling &tiling, int64_t ranks) {
  if (tiling.isWhole())
    return "{replicated}";
  std::string text;
  llvm::raw_string_ostream out(text);
  int64_t copies = ranks; // of each tile
  NumberList sizes;
  for (const Tiling::Axis &dim : tiling.dims) {
    sizes.push_back(dim.count);
    copies /= dim.count;
  }
  if (copies > 1)
    sizes.push_back(copies);
  out << "{devices=[";
  llvm::interleave(sizes, out, ",");
  out << ']';
  // Ranks are listed in the order of their tiles.
  NumberList order(llvm::to_vector(llvm::seq<int64_t>(0, ranks)));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    for (const Tiling::Axis &dim : tiling.dims)
      if (dim.count > 1 && dim.indices[a] != dim.indices[b])
        return dim.indices[a] < dim.indices[b];
    return a < b;
  });
  llvm::interleave(order, out, ",");
  out << (copies > 1 ? " last_tile_dim_replicate}" : "}");
  return text;
}

} // namespace tensorc::stablehlo
