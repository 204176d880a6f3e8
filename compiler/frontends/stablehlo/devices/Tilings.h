//===- Tilings.h - Tensors that are split over devices --------------------===//
//
// For several devices JAX sends one program of whole tensors. Shardings state
// which part of an argument or result each device has. Such a part becomes the
// operand of a tx.join_parts, or the result of a tx.local_part, and the passes
// of compiler/transforms/sharding split the values in between. A manual
// computation is already the program of one device.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_TILINGS_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_TILINGS_H

#include "compiler/frontends/stablehlo/Attributes.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Mesh.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tensorc::stablehlo {

using builder::TensorBuilder;
using mlir::Value;

/// The parts of a tensor that the ranks have, called tiles. All tiles have the
/// same shape.
struct Tiling {
  /// A dim of the tensor.
  struct Axis {
    int64_t count = 1;  // number of tiles along the dim
    NumberList indices; // index of each rank's tile; empty if there is one tile
    bool operator==(const Axis &) const = default;
  };
  llvm::SmallVector<Axis> dims;
  /// The addends of which a tile is the sum (axes that JAX calls unreduced).
  Axis addends;

  bool operator==(const Tiling &) const = default;
  /// True if each rank has the whole tensor.
  bool isWhole() const {
    return addends.count == 1 &&
           llvm::all_of(dims, [](const Axis &dim) { return dim.count == 1; });
  }
};

/// The shardings of a module for several devices.
class Tilings {
public:
  explicit Tilings(mlir::ModuleOp module);

  /// Number of ranks of the module, 1 if it is for one device.
  int64_t ranks() const { return count; }
  /// Returns the reason why the module's number of ranks is refused, or "".
  const std::string &whyRefused() const { return refusal; }
  /// Returns the tiling for a tensor of this type by the axes of the mesh that
  /// are in `manual`, or by all axes if it is null. The tiling of a tensor
  /// without a sharding is whole. Returns failure after a diagnostic.
  llvm::FailureOr<Tiling> tiling(mlir::Operation *op, mlir::Attribute sharding,
                                 mlir::Type type,
                                 mlir::ArrayAttr manual = {}) const;
  /// Returns the sizes of the grid of ranks, which all tx ops share.
  llvm::ArrayRef<int64_t> mesh() const { return grid.sizes; }
  /// Returns the tiling as a list of the dims that the axes of the grid split.
  /// Returns nullopt if it has addends, or if its ranks are in another order.
  std::optional<tx::Sharding> sharding(const Tiling &tiling) const;

private:
  int64_t count;
  std::string refusal;
  llvm::StringMap<mlir::DictionaryAttr> meshes;
  tx::Mesh grid;
};

/// Returns the type of a tensor that has tiles of this type.
mlir::RankedTensorType wholeType(mlir::RankedTensorType tile,
                                 const Tiling &tiling);
/// Returns the type of a tile of a tensor.
mlir::RankedTensorType tileType(mlir::RankedTensorType whole,
                                const Tiling &tiling);
/// Makes the whole tensor from the ranks' tiles.
Value gatherTiles(TensorBuilder &b, Value tile, const Tiling &tiling,
                  int64_t ranks);
/// Cuts this rank's tile out of the whole tensor.
Value cutTile(TensorBuilder &b, Value whole, const Tiling &tiling,
              int64_t ranks);
/// Returns the tiling in the syntax of XLA's HLO, such as
/// `{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}` or `{replicated}`.
std::string shardingText(const Tiling &tiling, int64_t ranks);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_TILINGS_H
