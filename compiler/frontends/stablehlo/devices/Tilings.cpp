//===- Tilings.cpp - Tensors that are split over devices ------------------===//

#include "compiler/frontends/stablehlo/devices/Tilings.h"

#include "ir/library/Library.h"
#include "ir/library/ShardingText.h"

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
/// An axis of a mesh, or a part of an axis: `size` neighbours, `pre_size`
/// times.
struct AxisPart {
  StringRef name;
  int64_t before = 1, size = 0; // size 0 means the whole axis
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

namespace {
/// The positions of neighbours along a part of a mesh's axis, in the mesh's
/// order.
struct Neighbours {
  int64_t stride, count;
};
} // namespace

/// Returns nullopt for an axis that the mesh lacks.
static std::optional<Neighbours> neighboursAlong(DictionaryAttr mesh,
                                                 const AxisPart &part) {
  int64_t size = 0, inner = 1;
  for (Attribute axis : llvm::reverse(listIn(mesh.get("axes")))) {
    int64_t length = numberIn(fieldOf(axis, "size")).value_or(0);
    if (nameIn(fieldOf(axis, "name")) == part.name) {
      size = length;
      break;
    }
    inner *= length;
  }
  int64_t width = part.size ? part.size : size, outer;
  if (size < 1 || inner < 1 || part.before < 1 || width < 1 ||
      llvm::MulOverflow(part.before, width, outer) || size % outer != 0)
    return std::nullopt;
  return Neighbours{inner * (size / outer), width};
}

/// Returns the order of the devices, or an empty list if they are in order.
static NumberList devicesOf(DictionaryAttr mesh) {
  return numbersIn(mesh.get("device_ids")).value_or(NumberList());
}

/// Returns the index of each rank along a part of a mesh's axis, and the number
/// of indices. Returns nullopt for an axis that the mesh lacks.
static std::optional<Tiling::Axis>
indicesAlong(DictionaryAttr mesh, const AxisPart &part, int64_t ranks) {
  std::optional<Neighbours> along = neighboursAlong(mesh, part);
  if (!along)
    return std::nullopt;
  Tiling::Axis axis{along->count, NumberList(ranks)};
  NumberList devices = devicesOf(mesh);
  for (int64_t position = 0; position < ranks; ++position) {
    int64_t rank = devices.empty() ? position : devices[position];
    axis.indices[rank] = position / along->stride % along->count;
  }
  return axis;
}

/// Checks that a mesh contains each of the ranks once.
static bool fits(DictionaryAttr mesh, int64_t ranks) {
  int64_t size = 1;
  for (Attribute axis : listIn(mesh.get("axes")))
    if (int64_t length = numberIn(fieldOf(axis, "size")).value_or(0);
        length < 1 || length > ranks || (size *= length) > ranks)
      return false;
  NumberList devices = devicesOf(mesh);
  llvm::sort(devices);
  return size == ranks && (devices.empty() ||
                           llvm::equal(devices, llvm::seq<int64_t>(0, ranks)));
}

/// Returns a grid of ranks that has the axes of all meshes of the module. An
/// axis is divided if a sharding splits by a part of it. Axes that do not fit
/// the others are omitted.
static NumberList commonGrid(ModuleOp module,
                             const llvm::StringMap<DictionaryAttr> &meshes,
                             int64_t ranks) {
  NumberList strides = {1, ranks};
  auto add = [&](int64_t stride) {
    auto *outer = llvm::lower_bound(strides, stride);
    if (*outer != stride && *outer % stride == 0 &&
        stride % *std::prev(outer) == 0)
      strides.insert(outer, stride);
  };
  auto addAxes = [&](DictionaryAttr mesh, ArrayRef<Attribute> axes) {
    for (Attribute axis : axes)
      if (auto along = neighboursAlong(mesh, axisIn(axis))) {
        add(along->stride);
        add(along->stride * along->count);
      }
  };
  auto visit = [&](DictionaryAttr sharding) {
    DictionaryAttr mesh = meshes.lookup(nameIn(sharding.get("mesh")));
    if (!mesh || !fits(mesh, ranks) || !devicesOf(mesh).empty())
      return;
    addAxes(mesh, listIn(mesh.get("axes")));
    for (Attribute dim : listIn(sharding.get("dims")))
      addAxes(mesh, listIn(fieldOf(dim, "axes")));
  };
  module.walk([&](Operation *op) {
    op->getDiscardableAttrDictionary().walk(visit);
    if (Attribute properties = op->getPropertiesAsAttribute())
      properties.walk(visit);
  });
  NumberList sizes;
  for (size_t i = strides.size(); --i > 0;)
    sizes.push_back(strides[i] / strides[i - 1]);
  return sizes;
}

Tilings::Tilings(ModuleOp module) {
  auto number = [&](StringRef name) {
    return std::max<int64_t>(numberIn(module->getAttr(name)).value_or(1), 1);
  };
  count = number("mhlo.num_partitions");
  // Maximum number of ranks: tables have an entry for each.
  constexpr int64_t maxRanks = 1 << 16;
  if (count > maxRanks)
    refusal = "a program for " + std::to_string(count) +
              " devices (mhlo.num_partitions), and at most " +
              std::to_string(maxRanks) + " are available";
  if (!refusal.empty())
    count = 1;
  for (Operation &op : *module.getBody())
    if (op.getName().getStringRef() == "sdy.mesh")
      if (auto mesh =
              dyn_cast_if_present<DictionaryAttr>(attributeOf(&op, "mesh")))
        meshes[nameIn(attributeOf(&op, "sym_name"))] = mesh;
  if (count > 1)
    grid.sizes = commonGrid(module, meshes, count);
}

/// Returns all ways to split a tensor, with more than one part.
static SmallVector<const Tiling::Axis *> splitsOf(const Tiling &tiling) {
  SmallVector<const Tiling::Axis *> splits;
  for (const Tiling::Axis &dim : tiling.dims)
    if (dim.count > 1)
      splits.push_back(&dim);
  if (tiling.addends.count > 1)
    splits.push_back(&tiling.addends);
  return splits;
}

/// Checks that all parts are held by the same number of ranks.
static bool coversEvenly(const Tiling &tiling, int64_t ranks) {
  std::map<NumberList, int64_t> holders;
  int64_t parts = 1;
  for (const Tiling::Axis *split : splitsOf(tiling))
    if (llvm::MulOverflow(parts, split->count, parts) || parts > ranks)
      return false;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    NumberList indices;
    for (const Tiling::Axis *split : splitsOf(tiling))
      indices.push_back(split->indices[rank]);
    ++holders[indices];
  }
  return llvm::all_of(
      holders, [&](const auto &part) { return part.second * parts == ranks; });
}

FailureOr<Tiling> Tilings::tiling(Operation *op, Attribute sharding, Type type,
                                  ArrayAttr manual) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Tiling tiling;
  tiling.dims.resize(tensor ? tensor.getRank() : 0);
  if (count == 1 || !sharding)
    return tiling;
  ArrayRef<Attribute> dims = listIn(fieldOf(sharding, "dims"));
  StringRef name = nameIn(fieldOf(sharding, "mesh"));
  DictionaryAttr mesh = meshes.lookup(name);
  if (!dims.empty() && dims.size() != tiling.dims.size())
    return op->emitError() << "a sharding of " << dims.size()
                           << " dims is that of a value of type " << type;
  if (mesh && listIn(mesh.get("axes")).empty()) // a mesh without devices
    return tiling;
  if (!mesh || !fits(mesh, count))
    return op->emitError() << "the mesh @" << name << " is not made of the "
                           << count << " devices of mhlo.num_partitions";
  if (!tensor)
    return tiling;
  auto splitBy = [&](ArrayRef<Attribute> axes,
                     Tiling::Axis &split) -> LogicalResult {
    for (Attribute each : axes) {
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
      if (split.count > count / inner->count)
        return op->emitError()
               << "a sharding splits by an axis of @" << name << " twice";
      split.indices.resize(count);
      for (auto [index, digit] : llvm::zip(split.indices, inner->indices))
        index = index * inner->count + digit;
      split.count *= inner->count;
    }
    if (split.count == 1)
      split.indices.clear();
    return success();
  };
  for (auto [dim, size, split] :
       llvm::zip(dims, tensor.getShape(), tiling.dims)) {
    if (failed(splitBy(listIn(fieldOf(dim, "axes")), split)))
      return failure();
    if (ShapedType::isDynamic(size) ? split.count > 1 : size % split.count != 0)
      return op->emitError()
             << "a dim of a value of type " << type << " is split into "
             << split.count << " parts, which its size must be a multiple of";
  }
  if (failed(splitBy(listIn(fieldOf(sharding, "unreduced")), tiling.addends)))
    return failure();
  if (tiling.addends.count > 1 &&
      numberIn(fieldOf(sharding, "reduction")).value_or(0) != 0)
    return op->emitError()
           << "a sharding with unreduced axes is available for sums only";
  if (!coversEvenly(tiling, count))
    return op->emitError() << "a sharding splits by an axis of @" << name
                           << " twice";
  return tiling;
}

/// Returns the axes of the grid that determine the index along a split: the
/// index is the sum of the rank's coordinates, each times the number of parts
/// of the axes after it. Returns nullopt if the ranks are in another order.
static std::optional<NumberList> axesOf(const Tiling::Axis &split,
                                        const tx::Mesh &grid) {
  NumberList axes, weights;
  int64_t parts = split.count;
  for (int64_t axis : llvm::seq<int64_t>(0, grid.sizes.size()))
    if (int64_t weight = split.indices[grid.stride(axis)] - split.indices[0]) {
      parts /= grid.sizes[axis];
      if (weight != parts)
        return std::nullopt;
      axes.push_back(axis);
      weights.push_back(weight);
    }
  for (auto [rank, index] : llvm::enumerate(split.indices)) {
    int64_t sum = 0;
    for (auto [axis, weight] : llvm::zip(axes, weights))
      sum += static_cast<int64_t>(rank) / grid.stride(axis) % grid.sizes[axis] *
             weight;
    if (sum != index)
      return std::nullopt;
  }
  return axes;
}

std::optional<tx::Sharding> Tilings::sharding(const Tiling &tiling) const {
  if (tiling.addends.count > 1)
    return std::nullopt;
  tx::Sharding sharding = grid.whole();
  for (auto [dim, split] : llvm::enumerate(tiling.dims)) {
    if (split.count == 1)
      continue;
    std::optional<NumberList> axes = axesOf(split, grid);
    if (!axes)
      return std::nullopt;
    for (int64_t axis : *axes)
      sharding[axis] = static_cast<int64_t>(dim);
  }
  return sharding;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

RankedTensorType wholeType(RankedTensorType tile, const Tiling &tiling) {
  SmallVector<Dim> dims(tx::dimsOf(tile));
  for (auto [size, dim] : llvm::zip(dims, tiling.dims))
    size = dim.count > 1 ? size * dim.count : size;
  return tx::tensorType(dims, tile.getElementType());
}

RankedTensorType tileType(RankedTensorType whole, const Tiling &tiling) {
  SmallVector<int64_t> sizes(whole.getShape());
  for (auto [size, dim] : llvm::zip(sizes, tiling.dims))
    if (dim.count > 1)
      size /= dim.count;
  return whole.clone(sizes);
}

/// Returns groups of ranks. The ranks of a group have all parts of a split, in
/// order, and the same part of all other splits. Returns an empty list for one
/// group of all ranks in order.
static NumberList groupsAlong(const Tiling::Axis &split,
                              ArrayRef<const Tiling::Axis *> others,
                              int64_t ranks) {
  std::map<NumberList, SmallVector<NumberList>> byOthers;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    NumberList same;
    for (const Tiling::Axis *other : others)
      if (other != &split)
        same.push_back(other->indices[rank]);
    auto &parts = byOthers[same];
    parts.resize(split.count);
    parts[split.indices[rank]].push_back(rank);
  }
  NumberList groups;
  for (auto &[same, parts] : byOthers)
    for (size_t copy = 0; copy < parts.front().size(); ++copy)
      for (const NumberList &holders : parts)
        groups.push_back(holders[copy]);
  bool isAll =
      split.count == ranks && llvm::equal(groups, llvm::seq<int64_t>(0, ranks));
  return isAll ? NumberList() : groups;
}

/// Makes a collective of one tensor.
template <typename Op, typename Attributes>
static Value collective(TensorBuilder &b, Value x, Type type,
                        const Attributes &attributes) {
  OperationState state(b.loc, Op::getOperationName());
  state.addOperands(x);
  attributes.addTo(state);
  state.addTypes(type);
  return b.b.create(state)->getResult(0);
}

Value gatherTiles(TensorBuilder &b, Value tile, const Tiling &tiling,
                  int64_t ranks) {
  SmallVector<const Tiling::Axis *> splits = splitsOf(tiling);
  for (auto [i, dim] : llvm::enumerate(tiling.dims)) {
    if (dim.count == 1)
      continue;
    SmallVector<int64_t> sizes(typeOf(tile).getShape());
    sizes[i] *= dim.count;
    tile = collective<tx::AllGatherOp>(
        b, tile, typeOf(tile).clone(sizes),
        tx::AllGatherAttributes{static_cast<int64_t>(i), dim.count,
                                groupsAlong(dim, splits, ranks)});
  }
  if (tiling.addends.count == 1)
    return tile;
  return collective<tx::AllReduceOp>(
      b, tile, tile.getType(),
      tx::AllReduceAttributes{tx::Combiner::Sum, tiling.addends.count,
                              groupsAlong(tiling.addends, {}, ranks)});
}

Value cutTile(TensorBuilder &b, Value whole, const Tiling &tiling,
              int64_t ranks) {
  if (tiling.isWhole())
    return whole;
  Value rank =
      b.reshape(tx::PartitionIdOp::create(
                    b.b, b.loc, tx::tensorType({}, b.b.getI64Type()), ranks),
                {Dim(1)});
  auto ofThisRank = [&](ArrayRef<int64_t> byRank) {
    auto list = RankedTensorType::get({ranks}, b.b.getI64Type());
    Value table = tx::ConstantOp::create(b.b, b.loc,
                                         DenseElementsAttr::get(list, byRank));
    return b.reshape(b.take(table, rank, 0), {});
  };
  RankedTensorType type = tileType(typeOf(whole), tiling);
  SmallVector<Value> offsets;
  for (auto [size, dim] : llvm::zip(type.getShape(), tiling.dims)) {
    NumberList first;
    for (int64_t index : dim.indices)
      first.push_back(index * size);
    offsets.push_back(dim.count == 1 ? b.full(0, DType::I64)
                                     : ofThisRank(first));
  }
  Value tile = whole;
  if (type != typeOf(whole))
    tile = tx::DynamicSliceOp::create(b.b, b.loc, type, whole, offsets,
                                      type.getShape());
  if (tiling.addends.count == 1)
    return tile;
  // The first rank contributes the sum, and the others contribute zeros.
  return b.select(b.equal(ofThisRank(tiling.addends.indices), 0), tile,
                  b.full(0, builder::dtypeOf(tile)));
}

std::string shardingText(const Tiling &tiling, int64_t ranks) {
  SmallVector<const Tiling::Axis *> all;
  for (const Tiling::Axis &dim : tiling.dims)
    all.push_back(&dim);
  if (tiling.addends.count > 1)
    all.push_back(&tiling.addends);
  NumberList counts;
  for (const Tiling::Axis *axis : all)
    counts.push_back(axis->count);
  return tx::shardingText(
      counts, tiling.addends.count > 1, ranks, [&](int64_t rank) {
        SmallVector<int64_t> part;
        for (const Tiling::Axis *axis : all)
          part.push_back(axis->count > 1 ? axis->indices[rank] : 0);
        return part;
      });
}

} // namespace tensorc::stablehlo
