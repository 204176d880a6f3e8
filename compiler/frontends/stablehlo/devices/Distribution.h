//===- Distribution.h - Which tensors are split over ranks ----------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_DISTRIBUTION_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_DISTRIBUTION_H

#include "compiler/frontends/stablehlo/devices/Tilings.h"

#include "llvm/ADT/DenseMap.h"

namespace tensorc::stablehlo {

/// Tracks the tiles of tensors while the program of one rank is made.
class Distribution {
public:
  explicit Distribution(mlir::ModuleOp source) : tilings(source) {}

  /// Returns the whole tensor that a tile of this rank belongs to. The tile is
  /// remembered.
  Value whole(TensorBuilder &b, Value tile, const Tiling &tiling);
  /// Returns this rank's tile of a whole tensor.
  Value tile(TensorBuilder &b, Value whole, const Tiling &tiling) const;
  /// Returns the tensor for ops outside of a manual computation, or for its
  /// operands. It is the same on all ranks and is not split.
  Value sameOnAllRanks(TensorBuilder &b, Value whole) const;
  /// States how a tensor is split. Outside of loops and branches, the tensor is
  /// split in this way where it is computed.
  Value constrain(TensorBuilder &b, Value whole, const Tiling &tiling);
  /// Records how a tensor should be split if it is a result.
  void hint(Value whole, const Tiling &tiling) { hints[whole] = tiling; }
  /// Records that the result of an element-wise op should be split like the
  /// first operand that is split, if it is a result of the program.
  void hintLike(llvm::ArrayRef<Value> operands, Value result);
  /// Returns the tiling that was hinted, or that of the tiles from which the
  /// tensor was made. If there is neither, the tensor is whole.
  Tiling tilingOf(Value whole) const;
  /// Forgets all tensors. Called when those of a function or region no longer
  /// exist.
  void forget() {
    tiles.clear();
    hints.clear();
  }

  Tilings tilings;
  /// True within a manual computation, where values differ between ranks.
  bool isManual = false;

private:
  /// Returns the dims that the axes of the mesh split, or nullopt if tiles are
  /// gathered and cut by ops of this rank.
  std::optional<tx::Sharding> meshDims(const Tiling &tiling) const;

  llvm::DenseMap<Value, std::pair<Value, Tiling>> tiles;
  llvm::DenseMap<Value, Tiling> hints;
};

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_DEVICES_DISTRIBUTION_H
